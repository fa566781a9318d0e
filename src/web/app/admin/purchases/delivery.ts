// Whether a purchase reached its buyer: one sentence, and what it follows from, oldest first.
import { wasPaid } from '#contract/orders/purchases.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import { formatMoment } from '../../../format.tsx'

export type Look = 'good' | 'bad' | 'plain'
export type Verdict = { look: Look; text: string }
export type DeliveryEvent = { at: string; look: Look; text: string; detail?: string | undefined }

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
>
type Download = OrderDetail['downloads'][number]
type Mail = OrderDetail['mails'][number]

const manyDownloads = 3
const manySignIns = 3

export function verdictOf(bought: Bought): Verdict {
  if (!wasPaid(bought.status)) return plain('Nothing was paid, so nothing is delivered.')
  if (bought.given) return verdictOfGift(bought.given)
  const ofFile = verdictOfFile(bought)
  const parcel = bought.shipment
  if (!parcel) return ofFile
  if (bought.downloads.length > 0 || ofFile.look === 'bad') return ofFile
  if (parcel.shipped_at) return good(`The parcel left on ${formatMoment(parcel.shipped_at)}.`)
  return parcel.address ? plain('The parcel waits to be shipped.') : bad('The parcel has no address yet.')
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
  if (receipt?.status === 'kept') return bad('Email is not set up, so the receipt was not sent.')
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
}: Bought): DeliveryEvent[] {
  const events: DeliveryEvent[] = [
    { at: created_at, look: 'plain', text: wasPaid(status) ? 'Bought' : 'Ordered' },
    ...mails.map(mailEvent),
    ...downloads.map(downloadEvent),
  ]
  if (sign_ins.failed > 0 && sign_ins.last_failed_at)
    events.push({
      at: sign_ins.last_failed_at,
      look: 'bad',
      text:
        sign_ins.failed === 1 ? 'A sign-in failed' : `${sign_ins.failed} sign-ins failed, the last one now`,
    })
  if (sign_ins.last_at) events.push({ at: sign_ins.last_at, look: 'good', text: 'Signed in' })
  if (shipment?.shipped_at) events.push({ at: shipment.shipped_at, look: 'good', text: 'The parcel left' })
  return events.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

const mailOutcomes = {
  sent: 'taken by the mail server',
  kept: 'not sent: email was not set up',
  failed: 'not sent',
}

function mailEvent({ created_at, subject, recipient, status, error }: Mail): DeliveryEvent {
  return {
    at: created_at,
    look: status === 'sent' ? 'good' : 'bad',
    text: `Email “${subject}” to ${recipient}: ${mailOutcomes[status]}`,
    detail: error ?? undefined,
  }
}

function downloadEvent({ started_at, finished_at, is_counted, file_name }: Download): DeliveryEvent {
  if (!is_counted) return { at: started_at, look: 'plain', text: `Download of ${file_name} begun` }
  return finished_at
    ? { at: started_at, look: 'good', text: `${file_name} downloaded whole` }
    : { at: started_at, look: 'bad', text: `Download of ${file_name} begun and not finished` }
}

const good = (text: string): Verdict => ({ look: 'good', text })
const bad = (text: string): Verdict => ({ look: 'bad', text })
const plain = (text: string): Verdict => ({ look: 'plain', text })
