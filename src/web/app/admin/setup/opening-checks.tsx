// What the checks before the opening found, in words: by row, and as the consequences of opening now.
import type { OpeningCheck, SiteAddress } from '#contract/setup/setup.ts'
import { countryName } from '#contract/orders/postal.ts'
import { useEffect, useState } from 'react'
import { onlyViewers, reachRow } from './reach.tsx'
import { readAddress, readOpeningCheck } from './step-card.tsx'
import { Button, Spinner } from '../../../components/button.tsx'
import { Check } from '../../../components/icons.tsx'
import { useFormatMoney } from '../../../format/money.tsx'
import { Circle, TriangleAlert } from '../icons.tsx'
import { StrongLink } from '../links.tsx'

type Action = { label: string; to: string } | { label: string; step: 'file' }

type CheckRow = {
  title: string
  /** `open`: not known yet. */
  state: 'fine' | 'open' | 'missing'
  says: string
  actions: readonly Action[]
}

type Checked = OpeningCheck & { address: SiteAddress }

type Mail = OpeningCheck['mail']
type Payments = OpeningCheck['payments']
type Format = (amount: number) => string

function checkRows(openingCheck: Checked, format: Format): CheckRow[] {
  return [
    reachRow(openingCheck.address),
    mailRow(openingCheck.mail),
    paymentsRow(openingCheck.payments),
    ...(openingCheck.file ? [fileRow(openingCheck.file)] : []),
    ...(openingCheck.parcel ? [parcelRow(openingCheck.parcel, format)] : []),
  ]
}

const mailSays: Record<Mail['state'], string> = {
  works: 'Yes: the mail server has just accepted the shop’s login, so confirmations and receipts are sent.',
  refused:
    'No: the mail server refuses the shop, so neither the email that confirms an account nor a receipt is sent.',
  not_set_up: 'No: email is not set up, so neither the email that confirms an account nor a receipt is sent.',
}

function mailRow({ state, answer }: Mail): CheckRow {
  return {
    title: 'Make an account, and get a receipt',
    state: state === 'works' ? 'fine' : 'missing',
    says: joined(mailSays[state], answer),
    actions: state === 'works' ? [] : [{ label: 'Set up email', to: '/admin/mails/settings?from=setup' }],
  }
}

const paymentsSay: Record<Payments['state'], string> = {
  live: 'Yes: Stripe has just accepted the shop’s key, and buyers pay real money.',
  test: 'Only in a test: the key is a test key, so no card is charged.',
  refused: 'No: payments do not work at the moment.',
  unreachable: 'Unknown: Stripe did not answer.',
  free: 'There is nothing to pay: the book is free for everybody. Your prices apply once Stripe is connected.',
  not_for_sale: 'No: payments are not set up, so the cards say “Available soon” and nobody can buy.',
  key_missing: 'No: the shop had a Stripe key once and has none now, so nothing is for sale.',
}

function paymentsRow({ state, answer }: Payments): CheckRow {
  const isFine = state === 'live' || state === 'free'
  return {
    title: 'Pay',
    state: isFine ? 'fine' : 'missing',
    says: joined(paymentsSay[state], answer),
    actions: isFine ? [] : [{ label: 'Set up payments', to: '/admin/settings/payments?from=setup' }],
  }
}

function fileRow(file: NonNullable<OpeningCheck['file']>): CheckRow {
  return file === 'ready'
    ? {
        title: 'Get the file',
        state: 'fine',
        says: 'Yes: it is stored, and buyers can download it.',
        actions: [],
      }
    : {
        title: 'Get the file',
        state: 'missing',
        says: 'No: the file is not stored, so the digital format is not for sale.',
        actions: [{ label: 'Choose the file', step: 'file' }],
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
    state: 'fine',
    says: `Yes: you send it ${price}, to: ${places}.`,
    actions: [{ label: 'Change shipping', to: '/admin/settings/shipping?from=setup' }],
  }
}

const mailConsequences: Record<Mail['state'], string | undefined> = {
  works: undefined,
  refused: 'nobody new can confirm an account, and no receipt is sent',
  not_set_up: 'nobody new can confirm an account, and no receipt is sent',
}

const paymentsConsequences: Record<Payments['state'], string | undefined> = {
  live: undefined,
  test: 'no real money is taken',
  refused: 'nobody can pay',
  unreachable: 'perhaps nobody can pay',
  free: undefined,
  not_for_sale: 'nobody can buy',
  key_missing: 'nobody can buy',
}

/** One sentence; undefined where nothing is in the way. */
export function consequences({ address, mail, payments, file }: Checked): string | undefined {
  const matches = [
    paymentsConsequences[payments.state],
    file === 'missing' ? 'nobody gets the digital book' : undefined,
    mailConsequences[mail.state],
  ].filter((each) => each !== undefined)
  const viewers = onlyViewers(address)
  if (viewers) return `If you open now, ${[viewers, ...matches].join('; ')}.`
  return matches.length > 0
    ? `If you open now, visitors see your page, but ${matches.join('; ')}.`
    : undefined
}

function joined(says: string, answer: string): string {
  return answer ? `${says} ${answer}` : says
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

const looks = {
  fine: { Icon: Check, color: 'text-success' },
  open: { Icon: Circle, color: 'text-soft' },
  missing: { Icon: TriangleAlert, color: 'text-gold-text' },
} satisfies Record<CheckRow['state'], unknown>

function Row({ row, onChooseFile }: { row: CheckRow; onChooseFile: () => void }) {
  const { title, state, says, actions } = row
  const { Icon, color } = looks[state]
  return (
    <li className="flex flex-wrap gap-x-3 gap-y-1 py-4 sm:flex-nowrap">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${color}`} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        <p className="mt-0.5 text-sm wrap-anywhere text-pretty text-soft">{says}</p>
      </div>
      {actions.length > 0 && (
        <p className="flex shrink-0 flex-wrap gap-x-5 gap-y-2 text-sm max-sm:w-full max-sm:pl-8 sm:flex-col sm:items-end">
          {actions.map((action) =>
            'to' in action ? (
              <StrongLink key={action.label} to={action.to}>
                {action.label}
              </StrongLink>
            ) : (
              <Button key={action.label} look="outline" onClick={onChooseFile}>
                {action.label}
              </Button>
            ),
          )}
        </p>
      )}
    </li>
  )
}
