// The book's form, its parts in order, and the legal pages, beside the preview.
import { useEffect, useRef, useState, type ReactNode, type ComponentType } from 'react'
import { focusWrong } from '../../../form.ts'
import { Button } from '../../../components/button.tsx'
import { PreviewPane, usePreviewUrl, PreviewPart } from './preview-pane.tsx'
import type { Draft } from './draft.ts'
import { Callout } from '../../../components/note.tsx'
import { formatMoment } from '../../../format.tsx'
import { ChevronDown } from '../../../components/further-icons.tsx'
import { TriangleAlert } from '../icons.tsx'
import type { FieldProblems } from '#contract/field-rules.ts'
import { legalTexts } from '#content/legal-pages.ts'
import {
  legalPageNames,
  neededBlanks,
  openBlanks,
  optionalBlanks,
  type LegalBlank,
  type LegalPageName,
} from '#contract/book/legal.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { fieldTextsOf, labelOf, legalPageTitles, Fields, type PartProps } from './schema-fields.tsx'
import { Lines } from './draft-fields.tsx'
import { AuthorPart, PromisesPart, SectionsPart, LooksPart } from './looks.tsx'
import { TextsPart } from './texts-part.tsx'

type DraftEditorProps = ShownParts & {
  draft: Draft
  className: string
  head: ReactNode
  children: ReactNode
}

/** The form of the book beside its preview; on narrow screens one of them at a time. */
export function DraftEditor({ draft, className, head, children, ...shown }: DraftEditorProps) {
  const { document, change, problems, state } = draft
  const [section, setSection] = useState<string>()
  const [isPreviewed, setIsPreviewed] = useState(false)
  const url = usePreviewUrl()
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (form.current && Object.keys(problems).length > 0) focusWrong(form.current)
  }, [problems])
  return (
    <div className={`grid xl:grid-cols-[minmax(24rem,5fr)_7fr] ${className}`}>
      <div ref={form} className={`grid content-start gap-4 ${isPreviewed ? 'max-xl:hidden' : ''}`}>
        {head}
        <Button look="outline" className="xl:hidden" onClick={() => setIsPreviewed(true)}>
          Show the preview
        </Button>
        <BookForm document={document} change={change} problems={problems} onSection={setSection} {...shown} />
        {children}
      </div>
      <PreviewPane
        className={isPreviewed ? '' : 'max-xl:hidden'}
        src={url && `${url}?revision=${state.revision}`}
        legal={document.legal}
        section={section}
        onClose={() => setIsPreviewed(false)}
      />
    </div>
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

type GroupProps = {
  title: string
  fields: readonly string[]
  problems: FieldProblems
  isOpenAtFirst?: boolean
  onOpen?: () => void
  children: ReactNode
}

function Group({ title, fields, problems, isOpenAtFirst = false, onOpen, children }: GroupProps) {
  const hasProblem = Object.keys(problems).some((path) =>
    fields.some((field) => path === field || path.startsWith(`${field}.`)),
  )
  return (
    <details
      open={isOpenAtFirst || hasProblem || undefined}
      className="group rounded-md border border-line bg-surface"
      onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}
    >
      <summary
        data-problem={hasProblem || undefined}
        className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 rounded-md px-5 py-3 text-lg font-semibold"
      >
        <span className="flex items-center gap-2">
          {title}
          {hasProblem && (
            <span className="flex items-center gap-1.5 text-sm text-danger">
              <TriangleAlert aria-hidden className="size-4" />
              needs attention
            </span>
          )}
        </span>
        <ChevronDown aria-hidden className="size-5 text-soft group-open:rotate-180" />
      </summary>
      <div className="grid gap-5 border-t border-line px-5 py-5">{children}</div>
    </details>
  )
}

function LegalPart(props: PartProps) {
  return (
    <>
      <InEnglish language={props.document.language} />
      <p className="text-sm text-pretty text-soft">
        These are templates to begin with and no legal advice: please have them checked by somebody who knows
        the law of your country. What the shop stores, and what it promises, it fills in by itself. Pages that
        are switched on are linked at the foot of the site and beside the buy buttons.
      </p>
      {legalPageNames.map((name) => (
        <LegalPageFields key={name} name={name} {...props} />
      ))}
      <fieldset className="grid gap-5">
        <legend className="mb-3 font-semibold">What the templates need</legend>
        <Fields paths={pathsOf(neededBlanks)} {...props} />
      </fieldset>
      <fieldset className="grid gap-5">
        <legend className="mb-3 font-semibold">Where the law asks for it</legend>
        <p className="text-sm text-soft">Lines about what is empty are left out.</p>
        <Fields paths={pathsOf(optionalBlanks)} {...props} />
      </fieldset>
      <Consent {...props} />
    </>
  )
}

function InEnglish({ language }: { language: string }) {
  if (/^en\b/i.test(language)) return null
  return (
    <Callout>
      These templates are in English, and so is what the shop fills in for {'{stored_data}'}, {'{money_back}'}{' '}
      and {'{withdrawal}'}. Your book is in another language: please put the words that the law of your
      country asks for in their place.
    </Callout>
  )
}

const blankPath = (name: LegalBlank) => `legal.blanks.${name}`
const pathsOf = (names: readonly LegalBlank[]) => names.map(blankPath)

function Consent(props: PartProps) {
  const { document, change, problems } = props
  const { is_asked, text } = document.legal.consent
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">Buyers in the European Union</legend>
      <p className="text-sm text-pretty text-soft">
        Consumers there may withdraw from a purchase for 14 days. For digital content this ends with its
        delivery only if the buyer has agreed to that before. Switched on, the shop asks before every purchase
        of something digital, sells it only to those who agree, keeps their consent with the purchase and
        repeats it in the receipt. The terms explain the right of withdrawal with or without it, and each page
        links to the place where buyers withdraw.
      </p>
      <Fields paths={['legal.consent.is_asked']} {...props} />
      {is_asked && (
        <Lines
          label="What buyers agree to"
          problem={problems['legal.consent.text']}
          value={text}
          onChange={(value) =>
            change((draft) => void (draft.legal.consent.text = value.replaceAll(/\s*\n\s*/g, ' ')))
          }
        />
      )}
    </fieldset>
  )
}

function LegalPageFields({ name, ...props }: PartProps & { name: LegalPageName }) {
  const { document, change, problems, texts } = props
  const { is_shown, text } = document.legal.pages[name]
  const open = openBlanks(text, document.legal)
  const path = `legal.pages.${name}`
  const words = [`${path}.title`, `${path}.text`]
  return (
    <fieldset className="grid gap-3 border-b border-line pb-4">
      <legend className="sr-only">{legalPageTitles[name]}</legend>
      <Fields paths={[`${path}.is_shown`]} {...props} />
      {is_shown && open.length > 0 && (
        <Callout>
          It cannot be published yet. Still to be filled in below:{' '}
          {open.map((blank) => labelOf(texts, blankPath(blank))).join(', ')}.
        </Callout>
      )}
      {is_shown && (
        <details>
          <summary className="min-h-9 cursor-pointer rounded-sm py-1.5 text-sm font-semibold text-soft hover:text-ink">
            Title and words of {legalPageTitles[name]}
          </summary>
          <div className="mt-3 grid gap-5">
            <Fields paths={words} {...props} />
            {text !== legalTexts[name] && (
              <BackToTemplate
                onConfirm={() => change((draft) => void (draft.legal.pages[name].text = legalTexts[name]))}
              />
            )}
          </div>
        </details>
      )}
      <PageProblems problems={words.flatMap((each) => problems[each] ?? [])} />
    </fieldset>
  )
}

/** The problems may be about fields that are folded away. */
function PageProblems({ problems }: { problems: readonly string[] }) {
  return problems.map((problem) => (
    <p key={problem} className="text-sm text-danger">
      {problem}
    </p>
  ))
}

function BackToTemplate({ onConfirm }: { onConfirm: () => void }) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <p>
      <Button look="outline" onClick={() => setIsAsked(true)}>
        Reset to the template
      </Button>
      {isAsked && (
        <Confirm
          title="Reset to the template?"
          action="Reset"
          onConfirm={() => {
            setIsAsked(false)
            onConfirm()
          }}
          onClose={() => setIsAsked(false)}
        >
          The words of this page are replaced. What you have filled in stays.
        </Confirm>
      )}
    </p>
  )
}

/** `Part` where there is more to show than the fields. */
type Part = { title: string; fields: string[]; Part?: ComponentType<PartProps>; section?: string }

const parts = {
  title: {
    title: 'Title and description',
    fields: ['title', 'product', 'subtitle', 'description', 'language', 'isbns'],
    section: 'title',
  },
  looks: { title: 'Cover and colors', Part: LooksPart, fields: ['cover', 'looks'], section: 'title' },
  author: {
    title: 'Author and invitation',
    Part: AuthorPart,
    fields: ['author', 'invitation'],
    section: 'invitation',
  },
  blueprint: { title: 'Blueprint', fields: ['blueprint'], section: 'blueprint' },
  preview: { title: 'Preview', Part: PreviewPart, fields: ['preview'], section: 'preview' },
  words: { title: 'Chapters', fields: ['words_title', 'words', 'words_have_own_numbers'], section: 'words' },
  promises: {
    title: 'Promises and rating',
    Part: PromisesPart,
    fields: ['refund_days', 'rating', 'claims'],
    section: 'book-sales',
  },
  questions: {
    title: 'Questions and answers',
    fields: ['questions'],
    section: 'questions',
  },
  quotes: { title: 'Quotations', fields: ['quotes'], section: 'quotes' },
  text: { title: 'Your own text', fields: ['text'], section: 'text' },
  contact: {
    title: 'Contact and closing',
    fields: ['contact', 'closing'],
    section: 'contact',
  },
  sections: { title: 'Sections of the page', Part: SectionsPart, fields: ['sections'] },
  legal: { title: 'Legal pages', Part: LegalPart, fields: ['legal'] },
  texts: { title: 'Words of pages and emails', Part: TextsPart, fields: ['texts'] },
  slip: { title: 'Packing slip', fields: ['packing_slip'] },
} satisfies Record<string, Part>

export type PartName = keyof typeof parts

const firstOpened: PartName[] = ['title']
const allParts = Object.entries<Part>(parts)

type ShownParts = {
  only?: readonly PartName[]
  opened?: readonly PartName[]
  /** Shown above the fields of a part. */
  above?: Partial<Record<string, ReactNode>>
}

type BookFormProps = Omit<PartProps, 'texts'> & ShownParts & { onSection: (section: string) => void }

function BookForm({ onSection, only, opened, above, ...book }: BookFormProps) {
  const props = { ...book, texts: fieldTextsOf(book.document) }
  const isIn = (names: readonly string[], name: string) => names.includes(name)
  return allParts
    .filter(([name]) => !only || isIn(only, name))
    .map(([name, { title, Part, fields, section }]) => (
      <Group
        key={title}
        title={title}
        fields={fields}
        problems={book.problems}
        isOpenAtFirst={isIn(opened ?? firstOpened, name)}
        {...(section && { onOpen: () => onSection(section) })}
      >
        {above?.[name]}
        {Part ? <Part {...props} /> : <Fields paths={fields} {...props} />}
      </Group>
    ))
}
