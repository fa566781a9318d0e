import { useState } from 'react'
import { fullTitle } from '#contract/book/book.ts'
import { formatsTexts } from '#words/formats.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { Callout } from '../../../components/callout.tsx'
import { Money } from '../../../money.tsx'
import { TriangleAlert } from '../icons.tsx'
import { fieldName } from '../book/field-names.ts'
import { useWarnings } from '../book/use-warnings.ts'
import { openShop } from './calls.ts'
import { consequences } from './opening-checks.ts'
import { PagePreview } from './page-preview.tsx'
import { StepCard, StepButtons, type StepProps } from './step-card.tsx'
import { useOpeningChecks } from './use-opening-checks.ts'
import { VisitorChecks } from './visitor-checks.tsx'

export function OpenStep({ setup, draft, isBusy, run, goTo }: StepProps) {
  const [problems, setProblems] = useState<FieldProblems>()
  const warnings = useWarnings() ?? []
  const checks = useOpeningChecks()
  const cost = checks.found ? consequences(checks.found) : undefined
  const { document, revision } = draft
  async function open() {
    const result = await run('Couldn’t open the shop', () => openShop(revision))
    setProblems(result.isSaved ? undefined : result.problems)
  }
  return (
    <StepCard
      title="Open your shop"
      lead="Your words, your products and your file replace the sample. You can change everything later."
    >
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[9rem_1fr] sm:gap-y-3 max-sm:[&_dt:not(:first-child)]:mt-3">
        <dt className="font-semibold">Book</dt>
        <dd className="break-words">
          {fullTitle(document) || 'Untitled'}
          {document.author.name && <span className="text-soft"> by {document.author.name}</span>}
        </dd>
        <dt className="font-semibold">Formats</dt>
        <dd>
          <ul>
            {setup.offers.map(({ format, price }) => (
              <li key={format}>
                {formatsTexts.names[format]},{' '}
                <span className="tabular-nums">
                  <Money amount={price} />
                </span>
              </li>
            ))}
            {setup.offers.length === 0 && <li className="text-danger">Nothing yet</li>}
          </ul>
        </dd>
      </dl>
      <PagePreview version={revision} />
      <VisitorChecks checks={checks} onChooseFile={() => goTo('file')} />
      {problems && <Unfinished problems={problems} onChange={() => goTo('words')} />}
      {warnings.length > 0 && (
        <section aria-label="Worth a look" className="mt-6 rounded-md border border-gold/60 bg-gold/10 p-4">
          <h3 className="flex items-center gap-2 font-semibold">
            <TriangleAlert aria-hidden className="size-5 text-gold-text" />
            Worth a look
          </h3>
          <ul className="mt-2 grid list-disc gap-1 pl-6 text-sm wrap-anywhere">
            {warnings.map(({ field, says }) => (
              <li key={field + says}>{says}</li>
            ))}
          </ul>
        </section>
      )}
      {cost && (
        <Callout role="note" className="mt-6">
          {cost}
        </Callout>
      )}
      <StepButtons
        isBusy={isBusy || checks.found === undefined}
        onBack={() => goTo('connections')}
        onNext={() => void open()}
        busy={isBusy ? 'Opening...' : 'Checking...'}
        next={cost || checks.found === null ? 'Open all the same' : 'Open the shop'}
      />
    </StepCard>
  )
}

function Unfinished({ problems, onChange }: { problems: FieldProblems; onChange: () => void }) {
  return (
    <section role="alert" className="mt-6 rounded-md border border-danger/50 bg-danger/8 p-4">
      <p className="font-semibold">Some text is still missing.</p>
      <ul className="mt-2 grid list-disc gap-1 pl-6 text-sm">
        {Object.entries(problems).map(([field, says]) => (
          <li key={field}>
            <span className="font-semibold">{fieldName(field)}</span>: {says}
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="mt-3 cursor-pointer rounded-sm text-sm font-semibold underline underline-offset-4"
        onClick={onChange}
      >
        Go to your page
      </button>
    </section>
  )
}
