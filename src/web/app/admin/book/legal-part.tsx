// The legal pages in the book's form: their templates, what these need, and the consent of buyers.
import { useState } from 'react'
import { isEnglish, legalTexts } from '#content/legal-pages.ts'
import {
  englishBlanks,
  legalPageNames,
  legalPageTitles,
  neededBlanks,
  openBlanks,
  optionalBlanks,
  type LegalBlank,
  type LegalPageName,
} from '#contract/book/legal.ts'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { Callout } from '../../../components/note.tsx'
import { Lines } from './draft-fields.tsx'
import { DraftFields, type PartProps } from './draft-inputs.tsx'
import { labelOf } from './field-texts.ts'

export function LegalPart(props: PartProps) {
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
        <DraftFields paths={pathsOf(neededBlanks)} {...props} />
      </fieldset>
      <fieldset className="grid gap-5">
        <legend className="mb-3 font-semibold">Where the law asks for it</legend>
        <p className="text-sm text-soft">Lines about what is empty are left out.</p>
        <DraftFields paths={pathsOf(optionalBlanks)} {...props} />
      </fieldset>
      <fieldset className="grid gap-5">
        <legend className="mb-3 font-semibold">Books on paper for the European Union</legend>
        <p className="text-sm text-pretty text-soft">
          Beside each format that is sent there, the law wants to read who has made the book, and its ISBN.
          Both are shown once your book takes money and one of its countries is among those of your shipping.
        </p>
        <DraftFields paths={['legal.maker', 'legal.eu_person']} {...props} />
      </fieldset>
      <Consent {...props} />
    </>
  )
}

function InEnglish({ language }: { language: string }) {
  if (isEnglish(language)) return null
  const filledIn = new Intl.ListFormat('en-US').format(englishBlanks.map((name) => `{${name}}`))
  return (
    <Callout>
      These templates are in English, and so is what the shop fills in for {filledIn}. Your book is in another
      language: please put the words that the law of your country asks for in their place.
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
        repeats it in the receipt. Switched on or off, the page “Terms” explains the right of withdrawal where
        its words have {'{withdrawal}'}, and each page links to the place where buyers withdraw, once the shop
        takes money and sells downloads or sends books on paper to a country with that right. A shop that has
        never taken money shows neither.
      </p>
      <DraftFields paths={['legal.consent.is_asked']} {...props} />
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
      <DraftFields paths={[`${path}.is_shown`]} {...props} />
      {is_shown && open.length > 0 && (
        <Callout>
          It cannot be published yet. Still to be filled in below:{' '}
          {open.map((blank) => labelOf(texts, blankPath(blank))).join(', ')}.
        </Callout>
      )}
      {is_shown && (
        <details className="peer">
          <summary className="min-h-9 cursor-pointer rounded-sm py-1.5 text-sm font-semibold text-soft hover:text-ink">
            Title and words of {legalPageTitles[name]}
          </summary>
          <div className="mt-3 grid gap-5">
            <DraftFields paths={words} {...props} />
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

/** The problems are about fields that are folded away; unfolded, each field says its own. */
function PageProblems({ problems }: { problems: readonly string[] }) {
  return problems.map((problem) => (
    <p key={problem} className="text-sm text-danger peer-open:hidden">
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
