import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { Spinner } from '../../../components/spinner.tsx'

export type Device = 'desktop' | 'phone'

/** CSS pixels. */
const desktopWidth = 1280

type PreviewFrameProps = {
  /** Undefined until it is known. Another one is loaded behind the present one, so that nothing flickers. */
  src: string | undefined
  device: Device
  section: string | undefined
}

export function PreviewFrame({ src, device, section }: PreviewFrameProps) {
  const box = useRef<HTMLDivElement>(null)
  const shownFrame = useRef<HTMLIFrameElement>(null)
  const [shown, setShown] = useState<string>()
  useScale(box)
  useEffect(() => {
    const target = section && shownFrame.current?.contentDocument?.getElementById(section)
    if (target) target.scrollIntoView({ block: 'start' })
  }, [section])

  function onLoad({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) {
    const { contentDocument, contentWindow } = currentTarget
    contentDocument?.addEventListener('click', stopLinks)
    const before = shownFrame.current?.contentWindow
    if (before) contentWindow?.scrollTo(0, before.scrollY)
    else if (section) contentDocument?.getElementById(section)?.scrollIntoView({ block: 'start' })
    setShown(src)
  }

  const sources = [...new Set([shown, src])].filter((each) => each !== undefined)
  return (
    <div
      ref={box}
      className="relative h-full overflow-hidden rounded-md border border-line bg-page"
      data-device={device}
    >
      {!shown && (
        <p role="status" className="grid h-full place-items-center text-soft">
          <span className="flex items-center gap-3">
            <Spinner />
            Loading the preview...
          </span>
        </p>
      )}
      {sources.map((each) => (
        <iframe
          key={each}
          ref={each === shown ? shownFrame : undefined}
          title="Preview of the page"
          src={each}
          sandbox="allow-same-origin"
          className={`absolute inset-0 ${each === shown ? '' : 'invisible'} ${
            device === 'desktop'
              ? 'h-[calc(100%/var(--scale))] w-[1280px] origin-top-left scale-(--scale)'
              : 'mx-auto h-full w-[390px] max-w-full border-x border-line'
          }`}
          onLoad={each === src ? onLoad : undefined}
        />
      ))}
    </div>
  )
}

/** As a custom property, which the frame's classes read: the page's policy forbids styles of elements in its HTML. */
function useScale(box: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const here = box.current
    if (!here) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry) here.style.setProperty('--scale', String(entry.contentRect.width / desktopWidth))
    })
    observer.observe(here)
    return () => observer.disconnect()
  }, [box])
}

/** The other pages of the shop may not stand in a frame. */
function stopLinks(event: MouseEvent): void {
  const { target } = event
  // Of the frame's own realm, in which `instanceof Element` of this one is false.
  if (target && 'closest' in target && typeof target.closest === 'function' && target.closest('a, button'))
    event.preventDefault()
}
