// Shows whether a purchase reached its buyer: one sentence, and what it follows from, oldest first. It has what is done
// about it, too: the parcel, and the move to another address.
import { wasPaid, isCompleted } from '#contract/orders/purchase-status.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import { formatCalendarDay, formatMoment, formatMoney, Time } from '../../../format/format.tsx'
import { Printer } from '../../../components/further-icons.tsx'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { countriesByName } from '#contract/orders/countries.ts'
import { addressLines, firstThenByName, type PostalAddress } from '#contract/orders/postal.ts'
import type { Shipment } from '#contract/orders/shipments.ts'
import type { ShipmentsApi } from '#domains/orders/shipments.routes.ts'
import { Tracking } from '../../../purchase/tracking.tsx'
import { Badge } from '../../../components/note.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../card.tsx'
import { adminClient, useAdminCall, DialogFormButton } from '../calls.tsx'
import { formatNetwork } from '../cells.tsx'
import type { Parcel } from '../shipping/parcels.tsx'
import ShipDialog, { AfterShipping } from '../shipping/ship-dialog.tsx'
import type { PurchaseMovesApi } from '#domains/readers/readers.routes.ts'
import { responseOf } from '../../../api.ts'
import { useParcels } from '../../../shop.ts'

export type Look = 'good' | 'bad' | 'plain'
type Verdict = { look: Look; text: string }
export type DeliveryEvent = {
  at: string
  look: Look
  text: string
  more?: string
  /** The reason of a failure. */
  detail?: string | undefined
}

type Bought = Pick<
  OrderDetail,
  | 'status'
  | 'created_at'
  | 'product'
  | 'shipment'
  | 'mails'
  | 'downloads'
  | 'sign_ins'
  | 'given'
  | 'paid_with'
  | 'adjustments'
  | 'dispute'
  | 'withdrawal'
  | 'is_going_back'
  | 'currency'
>
type Download = OrderDetail['downloads'][number]
type Mail = OrderDetail['mails'][number]

const manyDownloads = 3
const manySignIns = 3

/** What happened last to the money comes first. None of a parcel: the card beside says whether it left. */
export function verdictOf(bought: Bought): Verdict | undefined {
  if (!wasPaid(bought.status)) return plain('Nothing was paid, so nothing is delivered.')
  const money = moneySummary(bought)
  const delivery = verdictOfDelivery(bought)
  if (!money) return delivery
  // A refunded order names only what has reached its buyer: nothing is delivered any more.
  if (bought.status === 'refunded')
    return plain(delivery?.look === 'good' ? `${money} ${delivery.text}` : money)
  return delivery ? { look: delivery.look, text: `${money} ${delivery.text}` } : plain(money)
}

function moneySummary(bought: Bought): string | undefined {
  const { status, adjustments, withdrawal, is_going_back, currency } = bought
  if (status === 'refunded') {
    if (adjustments.length === 0) return 'Taken back.'
    const isWithdrawn = withdrawal?.right === 'law' && withdrawal.decision !== 'refused'
    return isWithdrawn ? 'Withdrawn and refunded.' : 'Refunded.'
  }
  if (is_going_back) return 'A refund is on its way.'
  const last = adjustments.at(-1)
  return last && `${adjustmentText(last, currency)}.`
}

function verdictOfDelivery(bought: Bought): Verdict | undefined {
  if (bought.given) return verdictOfGift(bought.given)
  const verdict = verdictOfFile(bought)
  const isOfParcel = bought.shipment && bought.downloads.length === 0 && verdict.look !== 'bad'
  return isOfParcel ? undefined : verdict
}

function verdictOfGift({ email, state, at }: NonNullable<Bought['given']>): Verdict {
  const to = email || 'an erased account'
  if (state === 'opened') return good(`It was given to ${to}, who opened it on ${formatMoment(at)}.`)
  if (state === 'failed') return bad(`The email with the gift could not be delivered to ${to}.`)
  if (state === 'scheduled') return plain(`It is given to ${to}: the email goes out on ${formatMoment(at)}.`)
  return plain(`It was given to ${to} and is not opened yet.`)
}

function verdictOfFile({ mails, downloads, sign_ins, paid_with }: Bought): Verdict {
  const finished = downloads.find(({ finished_at }) => finished_at)
  if (finished?.finished_at)
    return good(`The file was downloaded whole on ${formatMoment(finished.finished_at)}.`)
  if (downloads.some(({ is_counted }) => !is_counted)) return good('A download was begun.')
  if (downloads.length >= manyDownloads)
    return bad(`${downloads.length} downloads were begun, and none was finished.`)
  const receipt = mails.findLast(({ kind }) => kind === 'receipt' || kind === 'gift')
  if (receipt?.status === 'failed')
    return bad(`The mail server refused the receipt${receipt.error ? `: ${receipt.error}` : '.'}`)
  const { failed, last_at, last_failed_at } = sign_ins
  if (failed >= manySignIns && last_failed_at && (!last_at || last_at < last_failed_at))
    return bad(`The buyer tried ${failed} times to sign in, and could not.`)
  if (downloads.length > 0) return bad('A download was begun and not finished.')
  if (receipt?.status === 'unsent') return bad('Email is not set up, so the receipt was not sent.')
  if (paid_with) return plain('The gift was opened. Nothing was downloaded yet.')
  if (!receipt) return plain('No receipt was written yet.')
  return plain('The mail server took the receipt. Nothing was downloaded yet.')
}

export function eventsOf({
  created_at,
  status,
  mails,
  downloads,
  sign_ins,
  shipment,
  adjustments,
  dispute,
  withdrawal,
  currency,
}: Bought): DeliveryEvent[] {
  const events: DeliveryEvent[] = [
    { at: created_at, look: 'plain', text: wasPaid(status) ? 'Bought' : 'Ordered' },
    ...mails.map(mailEvent),
    ...downloads.map(downloadEvent),
    ...adjustments.map((adjustment): DeliveryEvent => ({
      at: adjustment.created_at,
      look: 'plain',
      text: adjustmentText(adjustment, currency),
      more: adjustment.note,
    })),
  ]
  if (dispute?.lost_at)
    events.push({ at: dispute.lost_at, look: 'bad', text: 'The bank decided for the buyer' })
  if (withdrawal)
    events.push({
      at: withdrawal.declared_at,
      look: 'plain',
      text: withdrawal.right === 'law' ? 'Withdrew from the contract' : 'Asked for a refund',
    })
  if (sign_ins.failed > 0 && sign_ins.last_failed_at)
    events.push({
      at: sign_ins.last_failed_at,
      look: 'bad',
      text:
        sign_ins.failed === 1 ? 'A sign-in failed' : `${sign_ins.failed} sign-ins failed; this was the last`,
    })
  if (sign_ins.last_at) events.push({ at: sign_ins.last_at, look: 'good', text: 'Signed in' })
  if (shipment?.shipped_at) events.push({ at: shipment.shipped_at, look: 'good', text: 'The parcel left' })
  return events.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

const adjustmentNames: Record<OrderDetail['adjustments'][number]['kind'], string> = {
  refund: 'Refunded',
  refund_failed: 'The refund failed, and the money is back',
  dispute: 'Taken by a dispute',
  dispute_won: 'The dispute was won, and the money is back',
}

function adjustmentText({ kind, amount }: OrderDetail['adjustments'][number], currency: string): string {
  return `${adjustmentNames[kind]}: ${formatMoney(Math.abs(amount), currency)}`
}

const mailOutcomes = {
  sent: 'taken by the mail server',
  unsent: 'not sent: email was not set up',
  failed: 'not sent',
}

function mailEvent({
  created_at,
  sent_at,
  subject,
  recipient,
  status,
  attempts,
  error,
}: Mail): DeliveryEvent {
  return {
    at: sent_at ?? created_at,
    look: status === 'sent' ? 'good' : 'bad',
    text: `Email “${subject}” to ${recipient}: ${mailOutcomes[status]}`,
    ...(attempts > 1 && { more: `After ${attempts} tries` }),
    detail: error ?? undefined,
  }
}

function downloadEvent(download: Download): DeliveryEvent {
  const { started_at: at, finished_at, is_counted, file_name, ip, device } = download
  const more = `${ip ? `From ${formatNetwork(ip)}, with` : 'With'} ${device ?? 'an unknown program'}`
  if (!is_counted) return { at, more, look: 'plain', text: `Download of ${file_name} begun` }
  return finished_at
    ? { at, more, look: 'good', text: `${file_name} downloaded whole` }
    : { at, more, look: 'bad', text: `Download of ${file_name} begun and not finished` }
}

const good = (text: string): Verdict => ({ look: 'good', text })
const bad = (text: string): Verdict => ({ look: 'bad', text })
const plain = (text: string): Verdict => ({ look: 'plain', text })

const api = adminClient<ShipmentsApi>()
const AddressDialog = lazy(() => import('../../../forms/address-dialog.tsx'))

type ShipmentCardProps = {
  purchase: Pick<OrderDetail, 'id' | 'number' | 'is_test' | 'email' | 'display_name' | 'shipping'>
  shipment: NonNullable<OrderDetail['shipment']>
}

export function ShipmentCard({ purchase, shipment }: ShipmentCardProps) {
  const { address, shipped_at, is_to_ship, updated_at, release_on } = shipment
  const recipient = address?.name ?? purchase.display_name ?? purchase.email
  const name = `${formatOrderNumber(purchase.number)} · ${recipient}`
  return (
    <Card title="Shipping" action={<ShippingBadge shipment={shipment} />} contentClass="grid gap-4 px-5 py-4">
      <div>
        {address ? (
          <span className="block break-words whitespace-pre-line">{addressLines(address).join('\n')}</span>
        ) : (
          <span className={is_to_ship ? 'font-semibold text-danger' : 'text-soft'}>No address yet</span>
        )}
        {address?.phone && <span className="block text-sm text-soft">{address.phone}</span>}
        <span className="mt-2 block empty:hidden">
          <Tracking {...shipment} />
        </span>
      </div>
      {is_to_ship && release_on && (
        <p className="text-sm text-pretty text-soft">
          Out on {formatCalendarDay(release_on)}. The parcel may leave before.
        </p>
      )}
      <div className="flex flex-wrap gap-2 empty:hidden *:grow">
        {is_to_ship && (
          <>
            <Ship
              purchase_id={purchase.id}
              name={name}
              address={address}
              is_test={purchase.is_test}
              updated_at={updated_at}
            />
            <ButtonLink look="outline" to={`/admin/shipping/slips?ids=${purchase.id}`}>
              <Printer aria-hidden className="size-4.5" />
              Packing slip
            </ButtonLink>
            <CorrectAddress
              purchase_id={purchase.id}
              address={address}
              country={purchase.shipping?.country}
            />
          </>
        )}
        {shipped_at && <AfterShipping purchase_id={purchase.id} name={name} shipment={shipment} />}
      </div>
    </Card>
  )
}

function ShippingBadge({
  shipment: { shipped_at, is_to_ship, release_on },
}: Pick<ShipmentCardProps, 'shipment'>) {
  if (shipped_at) return <Badge look="highlighted">shipped</Badge>
  if (is_to_ship && release_on) return <Badge>pre-order</Badge>
  return <Badge>{is_to_ship ? 'to ship' : 'not to be shipped'}</Badge>
}

function Ship(parcel: Parcel) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>Mark as shipped</Button>
      {isAsking && <ShipDialog parcels={[parcel]} onClose={() => setIsAsking(false)} />}
    </>
  )
}

type CorrectAddressProps = {
  purchase_id: string
  address: Shipment['address']
  /** The one whose shipping is paid. */
  country: string | null | undefined
}

function CorrectAddress({ purchase_id, address, country }: CorrectAddressProps) {
  const [, run] = useAdminCall()
  const [isOpen, setIsOpen] = useState(false)
  const served = useParcels().countries
  const countries = useMemo(() => {
    const paid = country ? [country] : []
    return isOpen ? [...new Set([...paid, ...firstThenByName(served), ...countriesByName()])] : []
  }, [isOpen, country, served])
  async function save(json: PostalAddress) {
    const call = () => api.shipments[':id'].address.$put({ param: { id: purchase_id }, json })
    const result = await run(call, {
      done: { title: 'Address corrected', description: 'The book goes to this address.' },
      failed: 'Couldn’t save the change',
    })
    setIsOpen(!result.isSaved)
    return result
  }
  return (
    <>
      <Button look="outline" onClick={() => setIsOpen(true)}>
        {address ? 'Correct address' : 'Add address'}
      </Button>
      {isOpen && (
        <Suspense>
          <AddressDialog
            title={address ? 'Correct the address' : 'Where does it go?'}
            action="Save this address"
            countries={countries}
            address={address}
            send={save}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

const { moves } = adminClient<PurchaseMovesApi>().purchases[':id']

/** The button is for a purchase that was bought under a mistyped address. */
export function MoveButton({ purchase: { id, status, email, is_going_back } }: { purchase: OrderDetail }) {
  // A repeated press, after a lost response, is the same move.
  const [move_id, setMoveId] = useState(() => crypto.randomUUID())
  const linked = new URLSearchParams(useLocation().hash.slice(1)).get('change-email') ?? undefined
  if (!isCompleted(status) || is_going_back || !email) return null
  return (
    <DialogFormButton
      button={{ look: 'outline', children: 'Change the buyer’s email' }}
      startsOpen={linked !== undefined}
      title="Change the buyer’s email"
      about={
        <>
          For a buyer who mistyped the address. The purchase stops opening for {email}, whose links end, and
          the new address gets the receipt. Each address gets an email that does not name the other, and the
          old one may object.
        </>
      }
      action="Change the email"
      loadSchema={async () => (await import('#contract/readers/moves.ts')).moveRequest}
      fields={{
        email: { label: 'New email', input: { spellCheck: false } },
        reason: {
          label: 'Reason',
          hint: 'For the log, and beside the order.',
          input: { maxLength: 300 },
        },
      }}
      values={{ email: linked }}
      call={(json) => responseOf(moves[':move_id'].$put({ param: { id, move_id }, json }))}
      done={() => {
        setMoveId(crypto.randomUUID())
        return { title: 'Email changed', description: 'The receipt is on its way to the new address.' }
      }}
      failed="Couldn’t change the email"
    />
  )
}

export function Moves({ purchase: { moves: all } }: { purchase: OrderDetail }) {
  if (all.length === 0) return null
  return (
    <Card title="Moved">
      <ul className="divide-y divide-line">
        {all.map(({ id, from, to, reason, created_at, objected_at }) => (
          <li key={id} className="grid gap-1 px-5 py-4 text-sm">
            <p className="break-words">
              From {from || 'an erased account'} to <strong>{to || 'an erased account'}</strong>,{' '}
              <Time at={created_at} />
            </p>
            {reason && <p className="break-words text-soft">{reason}</p>}
            {objected_at && (
              <p className="font-semibold text-danger">
                The former address has objected, <Time at={objected_at} />. Its message is under Messages.
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
