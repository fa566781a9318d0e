import { useState } from 'react'
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
import { Line, Lines, Tick, type PartProps } from './draft-fields.tsx'
import { MarkdownField } from './markdown-field.tsx'

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

export function LegalPart(given: PartProps) {
  return (
    <>
      <InEnglish language={given.document.language} />
      <p className="text-sm text-pretty text-soft">
        These are templates to begin with and no legal advice: please have them checked by somebody who knows
        the law of your country. What the shop stores, and what it promises, it fills in by itself. Pages that
        are switched on are linked at the foot of the site and beside the buy buttons.
      </p>
      {legalPageNames.map((name) => (
        <LegalPageFields key={name} name={name} {...given} />
      ))}
      <fieldset className="grid gap-5">
        <legend className="mb-3 font-semibold">What the templates need</legend>
        {neededBlanks.map((name) => (
          <Blank key={name} name={name} {...given} />
        ))}
      </fieldset>
      <fieldset className="grid gap-5">
        <legend className="mb-3 font-semibold">Where the law asks for it</legend>
        <p className="text-sm text-soft">Lines about what is empty are left out.</p>
        {optionalBlanks.map((name) => (
          <Blank key={name} name={name} {...given} />
        ))}
      </fieldset>
      <Consent {...given} />
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

function LegalPageFields(given: PartProps & { name: LegalPageName }) {
  const { name, document, change, problems, field } = given
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
