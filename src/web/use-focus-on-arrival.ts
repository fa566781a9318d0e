// What led to a page, the sign-in's button say, is gone with the page before: the keyboard goes on from the heading.
import { useEffect, useRef, useState } from 'react'
import { NavigationType, useNavigationType } from 'react-router'

export function useFocusOnArrival() {
  const heading = useRef<HTMLHeadingElement>(null)
  const isFromInside = useNavigationType() !== NavigationType.Pop
  const [hasArrived] = useState(isFromInside)
  useEffect(() => {
    if (hasArrived && document.activeElement === document.body) heading.current?.focus()
  }, [hasArrived])
  return heading
}
