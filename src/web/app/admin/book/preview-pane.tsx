// The preview beside the book’s form: a frame with the page of the draft.
import { useEffect, useRef, useState, type SyntheticEvent, useCallback } from 'react'
import { Spinner, Button } from '../../../components/button.tsx'
import { maxPreviewChapters, type StoredChapter, type StoredEbook } from '#contract/book/book.ts'
import { isReady, legalPageNames, type Legal, type LegalPageName } from '#contract/book/legal.ts'
import { minuteMs } from '#contract/durations.ts'
import { openPreview, listChapters, listEbooks } from './draft.ts'
import { failure } from '../../../notices/send.ts'
import { formatCount, formatMoment } from '../../../format/format.tsx'
import { toast } from '../../../notices/toasts.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { SelectField } from '../../../components/further-fields.tsx'
import { DraftFields, type PartProps } from './draft-inputs.tsx'

type Device = 'desktop' | 'phone'

/** CSS pixels. */
const desktopWidth = 1280

/** A selector; another object with the same one scrolls there again. */
type PreviewSection = { place: string }

type PreviewFrameProps = {
  /** Undefined until it is known. Another one is loaded behind the present one, so that nothing flickers. */
  src: string | undefined
  device: Device
  section: PreviewSection | undefined
  onPress?: (target: Element) => void
}

export function PreviewFrame({ src, device, section, onPress }: PreviewFrameProps) {
  const box = useRef<HTMLDivElement>(null)
  const shownFrame = useRef<HTMLIFrameElement>(null)
  const [shown, setShown] = useState<string>()
  useScale(box)
  useEffect(() => {
    scrollTo(shownFrame.current?.contentDocument, section)
  }, [section])

  function onLoad({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) {
    const { contentDocument, contentWindow } = currentTarget
    contentDocument?.addEventListener('click', (event) => {
      const { target } = event
      if (!target || !isElement(target)) return
      // The other pages of the shop may not stand in a frame.
      if (target.closest('a, button')) event.preventDefault()
      onPress?.(target)
    })
    if (onPress) contentDocument?.documentElement.style.setProperty('cursor', 'pointer')
    const before = shownFrame.current?.contentWindow
    if (before) contentWindow?.scrollTo(0, before.scrollY)
    else scrollTo(contentDocument, section)
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

function scrollTo(page: Document | null | undefined, section: PreviewSection | undefined): void {
  if (section) page?.querySelector(section.place)?.closest('section')?.scrollIntoView({ block: 'start' })
}

/**
 * Sets the scale as a custom property, which the frame's classes read: the page's policy forbids styles of elements in
 * its HTML.
 */
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

/** The frame has a realm of its own, whose elements are no `Element` of this one by `instanceof`. */
function isElement(target: EventTarget): target is Element {
  return 'closest' in target && typeof target.closest === 'function'
}

type PreviewPaneProps = {
  className: string
  src: string | undefined
  section: PreviewSection | undefined
  legal: Legal
  onPress: (target: Element, page: Page['name']) => void
  onClose: () => void
}

const devices: { name: Device; label: string }[] = [
  { name: 'desktop', label: 'Desktop' },
  { name: 'phone', label: 'Phone' },
]

export type Page = { name: 'home' | 'preview' | LegalPageName; label: string }

/** A legal page that is not complete is shown nowhere. */
function listPages(legal: Legal): Page[] {
  return [
    { name: 'home', label: 'Home page' },
    { name: 'preview', label: 'Preview page' },
    ...legalPageNames
      .filter((name) => isReady(name, legal))
      .map((name) => ({ name, label: legal.pages[name].title })),
  ]
}

export function PreviewPane({ className, src, section, legal, onPress, onClose }: PreviewPaneProps) {
  const [device, setDevice] = useState<Device>(firstDevice)
  const [chosen, setPage] = useState<Page['name']>('home')
  const [followed, setFollowed] = useState(section)
  if (section !== followed) {
    setFollowed(section)
    setPage('home')
  }
  const pages = listPages(legal)
  const page = pages.some(({ name }) => name === chosen) ? chosen : 'home'
  return (
    <section
      aria-label="Preview of the draft"
      className={`grid h-[calc(100dvh-7rem)] grid-rows-[auto_1fr] gap-3 xl:sticky xl:top-4 ${className}`}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button look="outline" className="xl:hidden" onClick={onClose}>
          Back to the form
        </Button>
        <Choice label="Page" choices={pages} chosen={page} onChoose={setPage} />
        <Choice label="Width" choices={devices} chosen={device} onChoose={setDevice} />
      </div>
      <PreviewFrame
        key={page}
        src={src && `${src}&page=${page}`}
        device={device}
        section={page === 'home' ? section : undefined}
        onPress={(target) => onPress(target, page)}
      />
    </section>
  )
}

/** A page for desktops cannot be read on a phone. */
function firstDevice(): Device {
  return matchMedia('(width < 48rem)').matches ? 'phone' : 'desktop'
}

type ChoiceProps<Name extends string> = {
  label: string
  choices: readonly { name: Name; label: string }[]
  chosen: Name
  onChoose: (name: Name) => void
}

function Choice<Name extends string>({ label, choices, chosen, onChoose }: ChoiceProps<Name>) {
  return (
    <div
      role="group"
      aria-label={label}
      className="flex flex-wrap gap-1 rounded-md border border-edge bg-ink/7 p-1"
    >
      {choices.map(({ name, label: text }) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          className="min-h-9 cursor-pointer rounded-sm px-3 text-sm font-semibold text-soft hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink"
          onClick={() => onChoose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}

/** Milliseconds until the address is renewed; it is valid for an hour. */
const renewMs = 45 * minuteMs

export function usePreviewUrl(): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const renew = () =>
      void openPreview().then(
        (preview) => setUrl(preview.url),
        () => undefined,
      )
    renew()
    const timer = setInterval(renew, renewMs)
    return () => clearInterval(timer)
  }, [])
  return url
}

type ChapterPickerProps = {
  onPick: (chapter: Omit<StoredChapter, 'kind'>) => void
  onClose: () => void
}

function ChapterPicker({ onPick, onClose }: ChapterPickerProps) {
  const [ebooks, setEbooks] = useState<StoredEbook[]>()
  const [picked, setPicked] = useState<string>()
  const chosen = picked ?? ebooks?.[0]?.id
  useEffect(() => {
    listEbooks().then(
      (result) => setEbooks(result.ebooks),
      (error: unknown) => {
        toast(failure('Couldn’t load', error))
        onClose()
      },
    )
  }, [onClose])

  function pick({ number, title, text }: StoredChapter) {
    onPick({ number, title, text })
    onClose()
  }

  return (
    <Dialog title="Import a chapter from your EPUB" onClose={onClose}>
      <div className="mt-4 grid gap-4">
        {ebooks?.length === 0 && (
          <p className="text-soft">No EPUB is uploaded yet. Upload one under Products, or paste the text.</p>
        )}
        {ebooks && ebooks.length > 1 && (
          <SelectField
            label="File"
            value={chosen}
            options={ebooks.map(({ id, title, created_at }) => ({
              value: id,
              label: `${title}, ${formatMoment(created_at)}`,
            }))}
            onChange={({ currentTarget }) => setPicked(currentTarget.value)}
          />
        )}
        {chosen && <Chapters key={chosen} id={chosen} onPick={pick} />}
        {!ebooks && <Waiting />}
        <p className="text-right">
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
        </p>
      </div>
    </Dialog>
  )
}

type ChaptersProps = { id: string; onPick: (chapter: StoredChapter) => void }

function Chapters({ id, onPick }: ChaptersProps) {
  const [chapters, setChapters] = useState<StoredChapter[] | { says: string }>()
  useEffect(() => {
    listChapters(id).then(
      ({ chapters }) => setChapters(chapters),
      (error: unknown) =>
        setChapters({ says: failure('', error).description ?? 'This file could not be read.' }),
    )
  }, [id])
  if (!chapters) return <Waiting />
  if ('says' in chapters) return <p className="text-danger">{chapters.says}</p>
  return (
    <ol className="grid max-h-80 gap-1 overflow-y-auto" aria-label="Chapters">
      {chapters.map((chapter, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the chapters of a file do not change
        <li key={at}>
          <button
            type="button"
            className="flex w-full cursor-pointer items-baseline justify-between gap-3 rounded-sm px-3 py-2 text-left hover:bg-ink/7"
            onClick={() => onPick(chapter)}
          >
            <span className="min-w-0 wrap-anywhere">{chapter.title}</span>
            <span className="shrink-0 text-sm text-soft tabular-nums">
              {formatCount(chapter.text.length)} characters
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}

function Waiting() {
  return (
    <p role="status" className="flex items-center gap-3 text-soft">
      <Spinner />
      Reading...
    </p>
  )
}

export function PreviewPart(props: PartProps) {
  const { document, change } = props
  const [isPicking, setIsPicking] = useState(false)
  const stopPicking = useCallback(() => setIsPicking(false), [])
  const hasRoom = document.preview.chapters.length < maxPreviewChapters
  return (
    <>
      <DraftFields paths={['preview.chapters']} {...props} />
      <p>
        <Button look="outline" disabled={!hasRoom} onClick={() => setIsPicking(true)}>
          Import a chapter from your EPUB
        </Button>
      </p>
      {isPicking && (
        <ChapterPicker
          onPick={(picked) => change((draft) => void draft.preview.chapters.push(picked))}
          onClose={stopPicking}
        />
      )}
      <DraftFields paths={['preview.after']} {...props} />
    </>
  )
}
