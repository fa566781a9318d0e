import { useEffect } from 'react'
import { useRevalidator } from 'react-router'

/** While `isWanted`, the screen is loaded again this many milliseconds after the last response. */
export function useRefresh(isWanted: boolean, pauseMs: number): void {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (!isWanted || state !== 'idle') return undefined
    const timer = setTimeout(() => void revalidate(), pauseMs)
    return () => clearTimeout(timer)
  }, [isWanted, pauseMs, revalidate, state])
}
