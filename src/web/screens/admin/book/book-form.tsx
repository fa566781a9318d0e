import {
  Line,
  type PartProps,
  Lines,
  Tick,
  PictureField,
  MarkdownField,
  draftFields,
} from './draft-fields.tsx'
import { type ReactNode, useState, type ComponentType } from 'react'
import { ChevronDown } from '../../../components/further-icons.tsx'
import { TriangleAlert } from '../icons.tsx'
import type { FieldProblems } from '#contract/field-problems.ts'
import { legalTexts } from '#content/legal-pages.ts'
import {
  legalPageNames,
  neededBlanks,
  openBlanks,
  optionalBlanks,
  shopBlanks,
  type LegalBlank,
  type LegalPageName,
} from '#contract/book/legal.ts'
import { Callout } from '../../../components/callout.tsx'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { fullTitle, productPlaceholder } from '#contract/book/book.ts'
import { formatsTexts } from '#words/formats.ts'
import {
  ContactPart,
  QuestionsPart,
  QuotesPart,
  TextPart,
  PromisesPart,
  SectionsPart,
  SlipPart,
} from './section-parts.tsx'
import { LooksPart } from './looks-part.tsx'
import { PreviewPart } from './preview-pane.tsx'
import { TextsPart, BlueprintPart, WordsPart } from './texts-part.tsx'

function AuthorPart({ document: { author }, change, problems, field }: PartProps) {
  return (
    <>
      <Line label="Name" {...field('author.name')} />
      <Line
        label="Public email address"
        type="email"
        hint="Shown on the page and on receipts. Leave empty to offer the contact form only."
        problem={problems['author.email']}
        value={author.email ?? ''}
        onChange={(value) => change((draft) => void (draft.author.email = value || null))}
      />
      <PictureField
        name="portrait"
        hint="Shown beside the biography."
        picture={author.portrait}
        problem={problems['author.portrait.alt']}
        change={(edit) => change((draft) => void (draft.author.portrait = edit(draft.author.portrait)))}
      />
      <MarkdownField
        label="Biography"
        hint="Shown above the contact form. Leave empty to hide it."
        {...field('author.biography')}
      />
      <Line label="Title of the invitation" {...field('invitation.title')} />
      <MarkdownField label="Invitation" {...field('invitation.text')} />
    </>
  )
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

const blankLabels: Record<LegalBlank, { label: string; hint?: string }> = {
  seller: { label: 'Name of the seller', hint: 'The person or company with whom buyers make the contract.' },
  address: { label: 'Postal address' },
  email: { label: 'Email address for legal questions' },
  law: { label: 'Country whose law applies', hint: 'As in “Ireland”.' },
  host: {
    label: 'Who runs the server',
    hint: 'The company and its country: that is where the shop’s data are.',
  },
  represented_by: { label: 'Represented by', hint: 'Who acts for a company.' },
  phone: { label: 'Phone' },
  register: { label: 'Register and number' },
  tax_number: { label: 'VAT or tax number' },
  responsible: { label: 'Responsible for the content' },
  authority: { label: 'Data protection authority', hint: 'To which readers may complain.' },
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
        {neededBlanks.map((name) => (
          <Blank key={name} name={name} {...props} />
        ))}
      </fieldset>
      <fieldset className="grid gap-5">
        <legend className="mb-3 font-semibold">Where the law asks for it</legend>
        <p className="text-sm text-soft">Lines about what is empty are left out.</p>
        {optionalBlanks.map((name) => (
          <Blank key={name} name={name} {...props} />
        ))}
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

function Blank({ name, field }: PartProps & { name: LegalBlank }) {
  const Input = name === 'address' ? Lines : Line
  return <Input {...blankLabels[name]} {...field(`legal.blanks.${name}`)} />
}

function Consent({ document, change, problems }: PartProps) {
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
      <Tick
        label="I sell to consumers in the EU: ask for their consent"
        isTicked={is_asked}
        onChange={(isTicked) => change((draft) => void (draft.legal.consent.is_asked = isTicked))}
      />
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

const kinds: Record<LegalPageName, string> = { terms: 'Terms', privacy: 'Privacy', imprint: 'Imprint' }

const placeholders = [...neededBlanks, ...optionalBlanks, ...shopBlanks].map((name) => `{${name}}`).join(' ')

function LegalPageFields(partProps: PartProps & { name: LegalPageName }) {
  const { name, document, change, problems, field } = partProps
  const { is_shown, text } = document.legal.pages[name]
  const open = openBlanks(text, document.legal)
  return (
    <fieldset className="grid gap-3 border-b border-line pb-4">
      <legend className="sr-only">{kinds[name]}</legend>
      <Tick
        label={`Show a page: ${kinds[name]}`}
        isTicked={is_shown}
        onChange={(isTicked) => change((draft) => void (draft.legal.pages[name].is_shown = isTicked))}
      />
      {is_shown && open.length > 0 && (
        <Callout>
          It cannot be published yet. Still to be filled in below:{' '}
          {open.map((blank) => blankLabels[blank].label).join(', ')}.
        </Callout>
      )}
      {is_shown && (
        <details>
          <summary className="min-h-9 cursor-pointer rounded-sm py-1.5 text-sm font-semibold text-soft hover:text-ink">
            Title and words of {kinds[name]}
          </summary>
          <div className="mt-3 grid gap-5">
            <Line label="Title of the page" {...field(`legal.pages.${name}.title`)} />
            <MarkdownField
              label={`Words of ${kinds[name]}`}
              hint={`These are filled in: ${placeholders}`}
              rows={14}
              {...field(`legal.pages.${name}.text`)}
            />
            {text !== legalTexts[name] && (
              <BackToTemplate
                onConfirm={() => change((draft) => void (draft.legal.pages[name].text = legalTexts[name]))}
              />
            )}
          </div>
        </details>
      )}
      <PageProblems
        problems={[`legal.pages.${name}.title`, `legal.pages.${name}.text`].flatMap(
          (path) => problems[path] ?? [],
        )}
      />
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

const isbnFormats = ['digital', 'paperback', 'hardcover'] as const

function TitlePart({ document, field }: PartProps) {
  const { title, product } = document
  return (
    <>
      <Line
        label="Title"
        {...(title.includes(productPlaceholder) && {
          hint: `Shown as “${fullTitle(document)}”. ${productPlaceholder} stands for the name below.`,
        })}
        {...field('title')}
      />
      {(title.includes(productPlaceholder) || product) && (
        <Line label={`Name for ${productPlaceholder}`} {...field('product')} />
      )}
      <Line
        label="Subtitle"
        hint="Beneath the title, for search engines, and on a drawn cover."
        {...field('subtitle')}
      />
      <Lines
        label="Description"
        hint="Beneath the subtitle, and what search engines and shared links show."
        {...field('description')}
      />
      <Line label="Language" hint="A language tag: en, es, pt-BR, el ..." {...field('language')} />
      <fieldset className="grid gap-5">
        <legend className="mb-2 font-semibold">ISBN</legend>
        {isbnFormats.map((format) => (
          <Line key={format} label={formatsTexts.names[format]} {...field(`isbns.${format}`)} />
        ))}
      </fieldset>
    </>
  )
}

type Part = { title: string; Part: ComponentType<PartProps>; fields: string[]; section?: string }

const parts = {
  title: {
    title: 'Title and description',
    Part: TitlePart,
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
  blueprint: { title: 'Blueprint', Part: BlueprintPart, fields: ['blueprint'], section: 'blueprint' },
  preview: { title: 'Preview', Part: PreviewPart, fields: ['preview'], section: 'preview' },
  words: { title: 'Chapters', Part: WordsPart, fields: ['words', 'words_title'], section: 'words' },
  promises: {
    title: 'Promises and rating',
    Part: PromisesPart,
    fields: ['refund_days', 'rating', 'claims'],
    section: 'book-sales',
  },
  questions: {
    title: 'Questions and answers',
    Part: QuestionsPart,
    fields: ['questions'],
    section: 'questions',
  },
  quotes: { title: 'Quotations', Part: QuotesPart, fields: ['quotes'], section: 'quotes' },
  text: { title: 'Your own text', Part: TextPart, fields: ['text'], section: 'text' },
  contact: {
    title: 'Contact and closing',
    Part: ContactPart,
    fields: ['contact', 'closing'],
    section: 'contact',
  },
  sections: { title: 'Sections of the page', Part: SectionsPart, fields: ['sections'] },
  legal: { title: 'Legal pages', Part: LegalPart, fields: ['legal'] },
  texts: { title: 'Words of pages and emails', Part: TextsPart, fields: ['texts'] },
  slip: { title: 'Packing slip', Part: SlipPart, fields: ['packing_slip'] },
} satisfies Record<string, Part>

export type PartName = keyof typeof parts

const firstOpened: PartName[] = ['title']
const allParts = Object.entries<Part>(parts)

export type ShownParts = {
  only?: readonly PartName[]
  opened?: readonly PartName[]
  /** Shown above the fields of a part. */
  above?: Partial<Record<string, ReactNode>>
}

type BookFormProps = Omit<PartProps, 'field'> & ShownParts & { onSection: (section: string) => void }

export function BookForm({ onSection, only, opened, above, ...given }: BookFormProps) {
  const field = draftFields(given)
  const isIn = (names: readonly string[], name: string) => names.includes(name)
  return allParts
    .filter(([name]) => !only || isIn(only, name))
    .map(([name, { title, Part, fields, section }]) => (
      <Group
        key={title}
        title={title}
        fields={fields}
        problems={given.problems}
        isOpenAtFirst={isIn(opened ?? firstOpened, name)}
        {...(section && { onOpen: () => onSection(section) })}
      >
        {above?.[name]}
        <Part {...given} field={field} />
      </Group>
    ))
}
