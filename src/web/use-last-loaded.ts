// Data that was loaded stays on the screen when loading it anew fails, with the forms that are filled in.
import { useState } from 'react'

/** Undefined until it was loaded once. */
export function useLastLoaded<Data>(found: Data | undefined): Data | undefined {
  const [last, setLast] = useState(found)
  if (found !== undefined && found !== last) setLast(found)
  return found ?? last
}
