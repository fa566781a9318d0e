// The button that led here is gone with its page: the focus goes to the heading.
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
