import { useEffect, useState } from 'react'
import { openPreview } from './calls.ts'

/** In milliseconds; the address is valid for an hour. */
const renewMs = 45 * 60_000

export function usePreviewUrl(): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const renew = () => void openPreview().then(setUrl, () => undefined)
    renew()
    const timer = setInterval(renew, renewMs)
    return () => clearInterval(timer)
  }, [])
  return url
}
