import { useState } from 'react'
import { legalTexts } from '#content/legal-pages.ts'
import {
  neededBlanks,
  openBlanks,
  optionalBlanks,
  shopBlanks,
  type LegalPageName,
} from '#features/book/contract/legal.ts'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { Line, Tick, type PartProps } from './draft-fields.tsx'
import { blankLabels } from './legal-blanks.ts'
import { MarkdownField } from './markdown-field.tsx'

const kinds: Record<LegalPageName, string> = { terms: 'Terms', privacy: 'Privacy', imprint: 'Imprint' }

const placeholders = [...neededBlanks, ...optionalBlanks, ...shopBlanks].map((name) => `{${name}}`).join(' ')

export function LegalPageFields({ name, document, change, problems }: PartProps & { name: LegalPageName }) {
  const { is_shown, title, text } = document.legal.pages[name]
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
        <p className="rounded-md border border-gold/60 bg-gold/10 px-4 py-2 text-sm">
          It cannot be published yet. Still to be filled in below:{' '}
          {open.map((blank) => blankLabels[blank].label).join(', ')}.
        </p>
      )}
      {is_shown && (
        <details>
          <summary className="min-h-9 cursor-pointer rounded-sm py-1.5 text-sm font-semibold text-soft hover:text-ink">
            Title and words of {kinds[name]}
          </summary>
          <div className="mt-3 grid gap-5">
            <Line
              label="Title of the page"
              problem={problems[`legal.pages.${name}.title`]}
              value={title}
              onChange={(value) => change((draft) => void (draft.legal.pages[name].title = value))}
            />
            <MarkdownField
              label={`Words of ${kinds[name]}`}
              hint={`These are filled in: ${placeholders}`}
              problem={problems[`legal.pages.${name}.text`]}
              rows={14}
              value={text}
              onChange={(value) => change((draft) => void (draft.legal.pages[name].text = value))}
            />
            {text !== legalTexts[name] && (
              <BackToTemplate
                onConfirm={() => change((draft) => void (draft.legal.pages[name].text = legalTexts[name]))}
              />
            )}
          </div>
        </details>
      )}
      <Problems
        of={[`legal.pages.${name}.title`, `legal.pages.${name}.text`].flatMap((path) => problems[path] ?? [])}
      />
    </fieldset>
  )
}

/** The problems may be about fields that are folded away. */
function Problems({ of }: { of: readonly string[] }) {
  return of.map((problem) => (
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
