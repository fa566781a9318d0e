// All that the shop has of the signed-in person, to read, to print and to save.
import { fill } from '#words/texts.ts'
import { formatsTexts, statusesTexts } from '#words/buying.ts'
import { ownDataTexts, ownDataValuesTexts } from '#words/own-data.ts'
import { countryName } from '#contract/orders/postal.ts'
import type { ReactNode } from 'react'
import { redirect } from 'react-router'
import { ownDataLists, type OwnData, type OwnDataRow } from '#contract/privacy/own-data.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { responseOf } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Bar, Card, LoadFailed } from '../card.tsx'
import { Container } from '../../components/section.tsx'
import { Printer } from '../../components/further-icons.tsx'
import { loadFailure } from '../../notices/send.ts'
import { formatMoment, formatMoney, Time } from '../../format/format.tsx'
import { useFocusOnArrival, useFollowSession } from '../private-page.tsx'
import { isProofMissing, ProofDialog } from '../proof-dialog.tsx'
import { saveFile } from '../../save-file.ts'
import { useSendsMail } from '../../shop.ts'
import { storedSession } from '../../session/session.ts'
import { useSession } from '../../session/use-session.ts'
import { toast } from '../../notices/toasts.tsx'
import { leaveIfSignedOut, accountApi } from './account-form.tsx'
import type { Route } from './+types/own-data.ts'
import { unlisted } from '../../page/page-meta.ts'

const signInPath = '/auth?next=/account/data'

export async function clientLoader(): Promise<{ found?: OwnData } | Response> {
  if (!storedSession()) return redirect(signInPath)
  try {
    return { found: await responseOf(accountApi.data.$post()) }
  } catch (error) {
    leaveIfSignedOut(error)
    if (!isProofMissing(error)) toast(loadFailure(ownDataTexts.failed, error))
    return {}
  }
}

export function meta({ matches }: Route.MetaArgs) {
  return unlisted(ownDataTexts.page, matches[0].loaderData.book)
}

export function HydrateFallback() {
  return (
    <Frame isBusy>
      <p className="sr-only" role="status">
        {ownDataTexts.loading}
      </p>
      {['h-64', 'h-96', 'h-48'].map((height) => (
        <Bar key={height} className={height} />
      ))}
    </Frame>
  )
}

export default function OwnDataPage({ loaderData: { found } }: Route.ComponentProps) {
  const session = useSession()
  useFollowSession(signInPath)
  if (!session) return <HydrateFallback />
  return <Frame>{found ? <Data data={found} /> : <LoadFailed title={ownDataTexts.notLoaded} />}</Frame>
}

function Frame({ isBusy = false, children }: { isBusy?: boolean; children: ReactNode }) {
  const heading = useFocusOnArrival()
  return (
    <>
      <main id="main" aria-busy={isBusy || undefined}>
        <Container isText className="grid gap-6 py-6 sm:py-10 print:max-w-none print:p-0">
          <p className="print:hidden">
            <ButtonLink to="/account" look="quiet" className="-ms-5 max-sm:-ms-3 max-sm:px-3">
              {ownDataTexts.back}
            </ButtonLink>
          </p>
          <h1 ref={heading} tabIndex={-1} className="font-display text-3xl font-semibold">
            {ownDataTexts.page}
          </h1>
          {children}
        </Container>
      </main>
      <ProofDialog />
    </>
  )
}

function Data({ data }: { data: OwnData }) {
  const sendsMail = useSendsMail()
  const filled = ownDataLists.filter((name) => data.lists[name].length > 0)
  const empty = ownDataLists.filter((name) => data.lists[name].length === 0)
  return (
    <>
      <p className="text-pretty">
        {fill(ownDataTexts.intro, { shop: data.shop, time: formatMoment(data.made_at) })}
        {sendsMail && <span>{` ${ownDataTexts.noticed}`}</span>}
      </p>
      <p className="flex flex-wrap gap-3 max-sm:*:grow print:hidden">
        <Button onClick={() => save(data)}>{ownDataTexts.save}</Button>
        <Button look="outline" onClick={() => print()}>
          <Printer aria-hidden className="size-4.5" />
          {ownDataTexts.print}
        </Button>
      </p>
      {filled.map((name) => (
        <Card key={name} title={ownDataTexts.lists[name]}>
          <List rows={data.lists[name]} />
        </Card>
      ))}
      <Card title={ownDataTexts.nothing} contentClass="px-5 py-4 text-soft">
        <ul className="list-disc ps-5">
          {empty.map((name) => (
            <li key={name}>{ownDataTexts.lists[name]}</li>
          ))}
        </ul>
      </Card>
    </>
  )
}

function save(data: OwnData): void {
  const name = `${ownDataTexts.page} ${data.made_at.slice(0, 10)}.json`
  saveFile(name, JSON.stringify(data, null, 2), 'application/json')
}

function List({ rows }: { rows: OwnDataRow[] }) {
  const labels: Record<string, string> = ownDataTexts.fields
  return (
    <ul className="divide-y divide-line">
      {Array.from(rows.entries(), ([nth, row]) => (
        <li key={nth} className="px-5 py-4 print:break-inside-avoid">
          <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-2 [&_dt]:text-sm [&_dt]:text-soft">
            {Object.keys(row)
              .filter((field) => isShown(field, row))
              .map((field) => (
                <div key={field} className="min-w-0">
                  <dt>{labels[field] ?? field}</dt>
                  <dd className="break-words whitespace-pre-line">{show(field, row)}</dd>
                </div>
              ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}

/** Names of states and events, as the shop's tables have them. */
const names = new Set(['action', 'decision', 'dispute_status', 'event', 'format', 'kind', 'roles', 'status'])
const amounts = new Set(['amount', 'refunded', 'shipping', 'discount', 'tax'])

/** The currency stands in the amounts. */
function isShown(field: string, row: OwnDataRow): boolean {
  return field !== 'currency' && row[field] !== null && row[field] !== ''
}

function show(field: string, row: OwnDataRow): ReactNode {
  const value = row[field]
  if (typeof value === 'boolean') return value ? ownDataTexts.yes : ownDataTexts.no
  if (typeof value === 'number' && field === 'number') return formatOrderNumber(value)
  if (typeof value === 'number' && amounts.has(field)) return formatMoney(value, String(row['currency']))
  if (field.endsWith('_at') || field === 'disabled_until') return <Time at={String(value)} />
  if (field === 'country') return countryName(String(value))
  return names.has(field) ? String(value).split(', ').map(nameOf).join(', ') : String(value)
}

/** Stripe's names of disputes stay as they are. */
function nameOf(code: string): string {
  const known: Record<string, string> = { ...formatsTexts.within, ...statusesTexts, ...ownDataValuesTexts }
  return known[code] ?? code.replaceAll(/[._]/g, ' ')
}
