// The book's form beside its preview: the list of its parts, the part that is edited, and what is said about saving.
import { useEffect, useId, useRef, useState, type ComponentType, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { focusWrong } from '../../../forms/form.ts'
import { Button } from '../../../components/button.tsx'
import { PreviewPane, usePreviewUrl, PreviewPart, type Page } from './preview-pane.tsx'
import type { Draft } from './draft.ts'
import { Callout } from '../../../components/note.tsx'
import { formatMoment } from '../../../format/format.tsx'
import { ChevronDown } from '../../../components/further-icons.tsx'
import { TriangleAlert } from '../icons.tsx'
import type { FieldProblems } from '#contract/field-rules.ts'
import { partTitles, type PartName } from './part-titles.ts'
import { LegalPart } from './legal-part.tsx'
import { AuthorPart, PromisesPart, SectionsPart, LooksPart } from './looks.tsx'
import { DraftFields, type PartProps } from './draft-inputs.tsx'
import { fieldTextsOf } from './field-texts.ts'
import { SlipPreview } from './slip-preview.tsx'
import { isShownText, TextsPart } from './texts-part.tsx'
import { TitlePart } from './title-part.tsx'

/** `Part` where there is more to show than the fields; `places` are selectors on the page, the main one first. */
type Part = { title: string; fields: string[]; Part?: ComponentType<PartProps>; places?: string[] }

const parts = {
  title: {
    title: partTitles.title,
    Part: TitlePart,
    fields: ['title', 'product', 'subtitle', 'description', 'description_title', 'language'],
    places: ['#title', '#about'],
  },
  looks: { title: partTitles.looks, Part: LooksPart, fields: ['cover', 'looks'], places: ['.book'] },
  author: {
    title: partTitles.author,
    Part: AuthorPart,
    fields: ['author', 'invitation'],
    places: ['#author', '#invitation'],
  },
  blueprint: { title: partTitles.blueprint, fields: ['blueprint'], places: ['#blueprint'] },
  preview: { title: partTitles.preview, Part: PreviewPart, fields: ['preview'], places: ['#preview'] },
  words: {
    title: partTitles.words,
    fields: ['words_title', 'words', 'words_have_own_numbers'],
    places: ['#words'],
  },
  facts: {
    title: partTitles.facts,
    fields: ['isbns', 'pages', 'publisher', 'published_on'],
    places: ['#facts'],
  },
  promises: {
    title: partTitles.promises,
    Part: PromisesPart,
    fields: ['refund_days', 'rating', 'claims'],
    places: ['#book-sales'],
  },
  questions: {
    title: partTitles.questions,
    fields: ['questions'],
    places: ['#questions'],
  },
  quotes: { title: partTitles.quotes, fields: ['quotes'], places: ['#quotes'] },
  text: { title: partTitles.text, fields: ['text'], places: ['#text'] },
  contact: {
    title: partTitles.contact,
    fields: ['contact', 'closing'],
    places: ['#contact', '#closing'],
  },
  sections: { title: partTitles.sections, Part: SectionsPart, fields: ['sections'] },
  legal: { title: partTitles.legal, Part: LegalPart, fields: ['legal'] },
  texts: { title: partTitles.texts, Part: TextsPart, fields: ['texts'] },
  slip: { title: partTitles.slip, fields: ['packing_slip'] },
} satisfies Record<PartName, Part>

const allParts = Object.entries<Part>(parts)

/** Where the form has a field. */
export const partOf = (field: string) =>
  allParts.find(([, { fields }]) =>
    fields.some((each) => field === each || field.startsWith(`${each}.`)),
  )?.[0] ?? 'title'

/** The part with what was pressed in the preview. */
function partAt(target: Element, page: Page['name']): string {
  if (page === 'preview') return 'preview'
  if (page !== 'home' || target.closest('footer')) return 'legal'
  const own = allParts.find(([, { places }]) => places?.some((place) => target.closest(place)))
  return own?.[0] ?? 'title'
}

const isWrong = ({ fields }: Part, problems: FieldProblems) =>
  Object.keys(problems).some((path) => fields.some((field) => path === field || path.startsWith(`${field}.`)))

type DraftEditorProps = {
  draft: Draft
  head: ReactNode
  only?: readonly PartName[]
  /** The parts that have to be typed yet; they are marked in the list. */
  missing?: readonly PartName[]
  /** Shown above the fields of a part. */
  above?: Partial<Record<string, ReactNode>>
  children: ReactNode
}

/** The list opens above the form on narrow screens, and the preview takes the form's place. */
export function DraftEditor({ draft, head, only, missing, above, children }: DraftEditorProps) {
  const { document, change, problems, state } = draft
  const listed = allParts.filter(([name]) => !only || only.some((each) => each === name))
  const { chosen, visited, section, pressed, open, form } = useChosenPart(listed, problems)
  const [isPreviewed, setIsPreviewed] = useState(false)
  const url = usePreviewUrl()
  const props = { document, change, problems, pressed, texts: fieldTextsOf(document) }

  async function press(target: Element, page: Page['name']) {
    const isListed = (name: string) => listed.some(([each]) => each === name)
    const words = target.closest('a, button')?.textContent.trim()
    const isText = words && isListed('texts') && (await isShownText(words, document))
    const part = isText ? 'texts' : partAt(target, page)
    if (!isListed(part)) return
    setIsPreviewed(false)
    open(part, isText ? { words } : {})
  }
  return (
    <div className="grid gap-5">
      <div className={`grid gap-4 ${isPreviewed ? 'max-xl:hidden' : ''}`}>{head}</div>
      <div className="grid items-start gap-5 grid-cols-[minmax(0,1fr)] xl:grid-cols-[11rem_minmax(21rem,5fr)_minmax(0,6fr)]">
        <PartList
          className={isPreviewed ? 'max-xl:hidden' : ''}
          items={listed.map(([name, part]) => ({
            name,
            title: part.title,
            isChosen: name === chosen,
            isWrong: isWrong(part, problems),
            isMissing: missing?.some((each) => each === name) ?? false,
          }))}
          onChoose={(name) => open(name, { isFollowed: true })}
        />
        <div
          ref={form}
          className={`grid grid-cols-[minmax(0,1fr)] gap-4 ${isPreviewed ? 'max-xl:hidden' : ''}`}
        >
          <Button look="outline" className="xl:hidden" onClick={() => setIsPreviewed(true)}>
            Show the preview
          </Button>
          {listed
            .filter(([name]) => visited.includes(name))
            .map(([name, part]) => (
              <ShownPart
                key={name}
                title={part.title}
                isHidden={name !== chosen}
                isWrong={isWrong(part, problems)}
              >
                {above?.[name]}
                {part.Part ? <part.Part {...props} /> : <DraftFields paths={part.fields} {...props} />}
              </ShownPart>
            ))}
          {children}
        </div>
        {chosen === 'slip' ? (
          <SlipPreview
            className={isPreviewed ? '' : 'max-xl:hidden'}
            texts={document.packing_slip}
            onClose={() => setIsPreviewed(false)}
          />
        ) : (
          <PreviewPane
            className={isPreviewed ? '' : 'max-xl:hidden'}
            src={url && `${url}?revision=${state.revision}`}
            legal={document.legal}
            section={section}
            onPress={(target, page) => void press(target, page)}
            onClose={() => setIsPreviewed(false)}
          />
        )}
      </div>
    </div>
  )
}

type Opening = { words?: string; isFollowed?: boolean }

/** Parts that were opened stay in the document, so that an upload or a search in them goes on. */
function useChosenPart(listed: readonly (readonly [string, Part])[], problems: FieldProblems) {
  const form = useRef<HTMLDivElement>(null)
  const { search, key } = useLocation()
  const linked = new URLSearchParams(search).get('part')
  const [followed, setFollowed] = useState('')
  const [chosen, setChosen] = useState('title')
  const [visited, setVisited] = useState([chosen])
  const [section, setSection] = useState<{ place: string }>()
  const [pressed, setPressed] = useState({ words: '', count: 0 })
  const [shownProblems, setShownProblems] = useState(problems)
  function show(name: string) {
    setChosen(name)
    setVisited((before) => (before.includes(name) ? before : [...before, name]))
  }
  // A link names the part, as one of the search does.
  if (key !== followed) {
    setFollowed(key)
    if (linked && listed.some(([name]) => name === linked)) show(linked)
  }
  if (problems !== shownProblems) {
    setShownProblems(problems)
    const wrong = listed.find(([, part]) => isWrong(part, problems))
    if (wrong) show(wrong[0])
  }
  useEffect(() => {
    const part = form.current?.querySelector<HTMLElement>(':scope > section:not([hidden])')
    if (part && Object.keys(problems).length > 0) focusWrong(part)
  }, [problems])

  function open(name: string, { words, isFollowed = false }: Opening = {}) {
    show(name)
    if (words) setPressed(({ count }) => ({ words, count: count + 1 }))
    const place = listed.find(([each]) => each === name)?.[1].places?.[0]
    if (isFollowed && place) setSection({ place })
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('h3:not([hidden] *)')?.focus())
  }
  return { chosen, visited, section, pressed, open, form }
}

type ShownPartProps = { title: string; isHidden: boolean; isWrong: boolean; children: ReactNode }

/** Its title has the focus where the fields with a problem are still loading. */
function ShownPart({ title, isHidden, isWrong, children }: ShownPartProps) {
  const id = useId()
  return (
    <section hidden={isHidden} aria-labelledby={id} className="rounded-md border border-line bg-surface">
      <h3
        id={id}
        tabIndex={-1}
        data-problem={isWrong || undefined}
        className="border-b border-line px-5 py-3 text-lg font-semibold outline-none"
      >
        {title}
      </h3>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 px-5 py-5">{children}</div>
    </section>
  )
}

type PartListProps = {
  className: string
  items: readonly ListedPart[]
  onChoose: (name: string) => void
}

type ListedPart = { name: string; title: string; isChosen: boolean; isWrong: boolean; isMissing: boolean }

function PartList({ className, items, onChoose }: PartListProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <nav
      aria-label="Parts of the book"
      className={`xl:sticky xl:top-4 xl:max-h-[calc(100dvh-2rem)] xl:overflow-y-auto ${className}`}
    >
      <Button
        look="outline"
        className="w-full justify-between! xl:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        All parts
        <ChevronDown aria-hidden className={`size-5 text-soft ${isOpen ? 'rotate-180' : ''}`} />
      </Button>
      <ul id={id} className={`grid gap-0.5 max-xl:mt-2 ${isOpen ? '' : 'max-xl:hidden'}`}>
        {items.map(({ name, ...part }) => (
          <li key={name}>
            <PartButton
              {...part}
              onClick={() => {
                setIsOpen(false)
                onChoose(name)
              }}
            />
          </li>
        ))}
      </ul>
      <p className="mt-3 px-3 text-sm text-pretty text-soft max-xl:hidden">
        Or press a part of the page in the preview.
      </p>
    </nav>
  )
}

type PartButtonProps = Omit<ListedPart, 'name'> & { onClick: () => void }

function PartButton({ title, isChosen, isWrong, isMissing, onClick }: PartButtonProps) {
  return (
    <button
      type="button"
      aria-current={isChosen || undefined}
      className="flex min-h-9 max-xl:min-h-11 pointer-coarse:min-h-11 w-full cursor-pointer items-center justify-between gap-2 rounded-md px-3 py-1.5 text-left text-sm font-semibold text-soft -outline-offset-2 hover:bg-ink/5 hover:text-ink aria-[current]:bg-ink/8 aria-[current]:text-ink forced-colors:aria-[current]:underline"
      onClick={onClick}
    >
      {title}
      {isWrong && (
        <>
          <TriangleAlert aria-hidden className="size-4 shrink-0 text-danger" />
          <span className="sr-only">needs attention</span>
        </>
      )}
      {isMissing && !isWrong && (
        <>
          <span aria-hidden className="size-2 shrink-0 rounded-full bg-gold" />
          <span className="sr-only">still empty</span>
        </>
      )}
    </button>
  )
}

type SaveLineProps = { draft: Draft; onKeepMine: () => void; onTakeTheirs: () => void }

export function SaveLine({ draft: { status, state, save }, onKeepMine, onTakeTheirs }: SaveLineProps) {
  if (status.kind === 'conflict') {
    return (
      <Callout look="danger" role="alert">
        <p className="text-pretty">{status.says} What you typed is still here.</p>
        <p className="mt-3 flex flex-wrap gap-2">
          <Button look="outline" onClick={onTakeTheirs}>
            Load the other version
          </Button>
          <Button look="outline" onClick={onKeepMine}>
            Replace it with my version
          </Button>
        </p>
      </Callout>
    )
  }
  return (
    <p role="status" className="flex min-h-6 flex-wrap items-center gap-x-3 text-sm text-soft">
      {wordsOf(status, state)}
      {status.kind === 'failed' && (
        <button
          type="button"
          className="cursor-pointer text-ink underline underline-offset-4"
          onClick={() => void save()}
        >
          Try again now
        </button>
      )}
    </p>
  )
}

function wordsOf(status: Draft['status'], { saved, versions }: Draft['state']): string {
  if (status.kind === 'changed' || status.kind === 'saving') return 'Saving...'
  if (status.kind === 'refused') return `Not saved: ${status.says}`
  if ('says' in status) return `Not saved yet: ${status.says} It is tried again by itself.`
  if (saved) return `Draft saved on ${formatMoment(saved.at)} by ${saved.by}. Visitors do not see it yet.`
  const [newest] = versions
  if (!newest) return 'Visitors see the sample. Nothing is published yet.'
  return `Visitors see version ${newest.number}, published on ${formatMoment(newest.published_at)}.`
}
