import { Button } from '../../../components/button.tsx'
import { Check } from '../../../components/icons.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { useFormatMoney } from '../../../money.tsx'
import { TriangleAlert } from '../icons.tsx'
import { StrongLink } from '../text-link.tsx'
import { checkRows, type CheckRow, type OpeningChecks } from './opening-checks.ts'

type VisitorChecksProps = { checks: OpeningChecks; onChooseFile: () => void }

export function VisitorChecks({ checks: { check, checkAgain }, onChooseFile }: VisitorChecksProps) {
  const format = useFormatMoney()
  return (
    <section aria-labelledby="visitor-checks" className="mt-8 border-t border-line pt-6">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h3 id="visitor-checks" className="font-display text-xl font-semibold">
          What a visitor can do
        </h3>
        {check !== undefined && (
          <button
            type="button"
            className="cursor-pointer rounded-sm text-sm font-semibold underline underline-offset-4"
            onClick={() => void checkAgain()}
          >
            Check again
          </button>
        )}
      </div>
      {check === undefined && (
        <p role="status" className="mt-4 flex items-center gap-3 text-soft">
          <Spinner /> Asking your mail server and Stripe...
        </p>
      )}
      {check === null && (
        <p role="alert" className="mt-4 text-danger">
          This could not be checked just now.
        </p>
      )}
      {check && (
        <ul className="mt-3 divide-y divide-line">
          {checkRows(check, format).map((row) => (
            <Row key={row.title} row={row} onChooseFile={onChooseFile} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ row, onChooseFile }: { row: CheckRow; onChooseFile: () => void }) {
  const { title, isFine, says, action } = row
  const Icon = isFine ? Check : TriangleAlert
  return (
    <li className="flex flex-wrap gap-x-3 gap-y-1 py-4 sm:flex-nowrap">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${isFine ? 'text-success' : 'text-gold-text'}`} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        <p className="mt-0.5 text-sm wrap-anywhere text-pretty text-soft">{says}</p>
      </div>
      {action && (
        <p className="shrink-0 text-sm max-sm:w-full max-sm:pl-8">
          {'to' in action ? (
            <StrongLink to={action.to}>{action.label}</StrongLink>
          ) : (
            <Button look="outline" onClick={onChooseFile}>
              {action.label}
            </Button>
          )}
        </p>
      )}
    </li>
  )
}
