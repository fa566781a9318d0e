// Loaded data stay on the screen when reloading fails, with the forms that are filled in.
import { useState } from 'react'

export function useLastLoaded<Data>(found: Data | undefined): Data | undefined {
  const [last, setLast] = useState(found)
  if (found !== undefined && found !== last) setLast(found)
  return found ?? last
}
