// The findings of the checks before the opening: by row, and as the consequences of opening now.
import type { Verdict } from '#contract/checks.ts'
import { describeVerdict } from '#contract/verdict-words.ts'
import type { OpeningCheck, SiteAddress } from '#contract/setup/setup.ts'
import type { TaxQuestion } from '#contract/overview/today.ts'
import { countryName } from '#contract/orders/postal.ts'
import { useEffect, useState } from 'react'
import { readAddress, readOpeningCheck } from './step-card.tsx'
import { Button, Spinner } from '../../../components/button.tsx'
import { Check } from '../../../components/icons.tsx'
import { useFormatMoney } from '../../../format/money.tsx'
import { Circle, TriangleAlert } from '../icons.tsx'
import { ActionLink } from '../links.tsx'
import { taxAnswer, taxQuestions } from '../tax-questions.ts'

type CheckRow = {
  title: string
  state: Verdict['state']
  text: string
  actions: Verdict['actions']
  asksFile?: boolean
}

type Checked = OpeningCheck & { address: SiteAddress }

type Format = (amount: number) => string

function checkRows(checked: Checked, format: Format): CheckRow[] {
  const { address, mail, payments, file, legal, parcel, tax_question } = checked
  return [
    checkRow('Reach the shop', address.check),
    checkRow('Make an account, and get a receipt', mail),
    checkRow('Pay', payments),
    checkRow('Know who sells', legal),
    ...(tax_question ? [taxRow(tax_question)] : []),
    ...(file ? [{ ...checkRow('Get the file', file), asksFile: file.state !== 'ok' }] : []),
    ...(parcel ? [parcelRow(parcel, format)] : []),
  ]
}

function checkRow(title: string, check: Verdict): CheckRow {
  const { state, effect, actions } = check
  const begun = state === 'ok' ? 'Yes: ' : state === 'open' ? 'Not known yet: ' : effect ? 'No: ' : ''
  return { title, state, text: describeVerdict(check, begun), actions }
}

function taxRow(question: TaxQuestion): CheckRow {
  return {
    title: 'Know whether the tax is in the price',
    state: 'warn',
    text: taxQuestions[question].text,
    actions: [taxAnswer],
  }
}

const maxCountries = 5

function parcelRow(parcel: NonNullable<OpeningCheck['parcel']>, format: Format): CheckRow {
  const { countries, min_price: min, max_price: max } = parcel
  const named = countries.slice(0, maxCountries).map(countryName)
  const rest = countries.length - named.length
  const places = listed(rest > 0 ? [...named, `${rest} more`] : named)
  const price =
    max === 0 ? 'free of charge' : min === max ? `for ${format(max)}` : `for ${format(min)} to ${format(max)}`
  return {
    title: 'Get the parcel',
    state: 'ok',
    text: `Yes: you send it ${price}, to: ${places}.`,
    actions: [{ label: 'Change shipping', to: '/admin/settings/shipping' }],
  }
}

/** One sentence; undefined where nothing is in the way. */
export function consequences({ address, payments, file, mail }: Checked): string | undefined {
  const effects = [payments, file, mail].flatMap((check) => check?.effect ?? [])
  const ofAddress = address.check.effect
  if (ofAddress) return `If you open now, ${[ofAddress, ...effects].join('; ')}.`
  return effects.length > 0
    ? `If you open now, visitors see your page, but ${effects.join('; ')}.`
    : undefined
}

function listed(names: string[]): string {
  return new Intl.ListFormat('en-US').format(names)
}

type OpeningChecks = ReturnType<typeof useOpeningChecks>

/** `check` is undefined while servers are asked, which may take seconds; null after a failure. */
export function useOpeningChecks() {
  const [check, setCheck] = useState<Checked | null>()
  useEffect(() => {
    let isGone = false
    readChecks().then(
      (checks) => isGone || setCheck(checks),
      () => isGone || setCheck(null),
    )
    return () => void (isGone = true)
  }, [])
  async function checkAgain() {
    setCheck(undefined)
    setCheck(await readChecks().catch(() => null))
  }
  return { check, checkAgain }
}

async function readChecks(): Promise<Checked> {
  const [check, address] = await Promise.all([readOpeningCheck(), readAddress()])
  return { ...check, address }
}

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
          <Spinner /> Asking your address, your mail server and Stripe...
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

const missing = { Icon: TriangleAlert, color: 'text-gold-text' }

const looks = {
  ok: { Icon: Check, color: 'text-success' },
  open: { Icon: Circle, color: 'text-soft' },
  warn: missing,
  wrong: missing,
} satisfies Record<CheckRow['state'], unknown>

function Row({ row, onChooseFile }: { row: CheckRow; onChooseFile: () => void }) {
  const { title, state, text, actions, asksFile } = row
  const { Icon, color } = looks[state]
  return (
    <li className="flex flex-wrap gap-x-3 gap-y-1 py-4 sm:flex-nowrap">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${color}`} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        <p className="mt-0.5 text-sm wrap-anywhere text-pretty text-soft">{text}</p>
      </div>
      {(asksFile || actions.length > 0) && (
        <p className="flex shrink-0 flex-wrap gap-x-5 gap-y-2 text-sm max-sm:w-full max-sm:pl-8 sm:flex-col sm:items-end">
          {asksFile && (
            <Button look="outline" onClick={onChooseFile}>
              Choose the file
            </Button>
          )}
          {actions.map((action) => (
            <ActionLink key={action.label} action={action} isFromSetup />
          ))}
        </p>
      )}
    </li>
  )
}
