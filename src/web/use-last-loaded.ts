// Loaded data stay on the screen when reloading fails, with the forms that are filled in.
import { useState } from 'react'

export function useLastLoaded<Data>(data: Data | undefined): Data | undefined {
  const [last, setLast] = useState(data)
  if (data !== undefined && data !== last) setLast(data)
  return data ?? last
}
