import { useEffect, useState } from 'react'

/** Whether none of these elements is in the window; false until that is known. */
export function useIsOutOfView(selector: string): boolean {
  const [isOut, setIsOut] = useState(false)
  useEffect(() => {
    const seen = new Set<Element>()
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) seen.add(target)
        else seen.delete(target)
      }
      setIsOut(seen.size === 0)
    })
    for (const element of document.querySelectorAll(selector)) observer.observe(element)
    return () => observer.disconnect()
  }, [selector])
  return isOut
}
