import { z } from 'zod'
import type { ShipmentsApi } from '#features/shipping/routes.ts'
import { readChoice, readText } from '../../../form.ts'
import { addressProblems, readAddress, type AddressProblems } from '../../../address-form.ts'
import { responseOf } from '../../../api.ts'
import { mailedNotice } from '../../../mailed-notice.ts'
import { toast, type Toast } from '../../../toasts.tsx'
import { showFailure } from '../admin-action.ts'
import { adminClient } from '../admin-client.ts'
import { adminNotices } from '../notices.ts'

export const api = adminClient<ShipmentsApi>()

export const actionsPath = '/admin/shipping'

export type ActionResponse = { problems: AddressProblems | undefined }

const changeNames = ['ship', 'undo', 'track', 'address'] as const

const shipForm = z.object({
  parcels: z.array(
    z.object({
      purchase_id: z.string(),
      carrier: z.string(),
      tracking_number: z.string(),
      updated_at: z.string().optional(),
    }),
  ),
  is_told: z.boolean(),
})

const changes: Record<
  (typeof changeNames)[number],
  (param: { id: string }, form: FormData) => Promise<Toast>
> = {
  async ship(_param, form) {
    const json = shipForm.parse(JSON.parse(readText(form, 'request')))
    const { shipped, skipped } = await responseOf(api.shipments.shipped.$post({ json }))
    const notice = (told: string) => shippedNotice(shipped.length, skipped.length, told)
    if (!json.is_told || shipped.length === 0) return notice('')
    return mailedNotice(
      notice(`${shipped.length === 1 ? 'The reader is' : 'The readers are'} told by email.`),
      notice('Email is not set up, so what tells the readers was not sent.'),
    )
  },
  async undo(param) {
    await api.shipments[':id'].shipped.$delete({ param })
    return adminNotices.putBack
  },
  async track(param, form) {
    const json = {
      carrier: readText(form, 'carrier'),
      tracking_number: readText(form, 'tracking_number'),
    }
    await api.shipments[':id'].tracking.$put({ param, json })
    return adminNotices.trackingChanged
  },
  async address(param, form) {
    await api.shipments[':id'].address.$put({ param, json: readAddress(form) })
    return adminNotices.addressCorrected
  },
}

export async function submitAction(form: FormData): Promise<ActionResponse> {
  try {
    const change = readChoice(form, 'adminAction', changeNames)
    if (change) toast(await changes[change]({ id: readText(form, 'id') }, form))
  } catch (error) {
    const problems = addressProblems(error)
    if (!problems) showFailure('Couldn’t save the change', error)
    // What was typed stays, also when it is not the address that is wrong.
    return { problems: problems ?? {} }
  }
  return { problems: undefined }
}

function shippedNotice(shipped: number, skipped: number, told: string): Toast {
  const parcels = (count: number) => (count === 1 ? '1 parcel' : `${count} parcels`)
  const [is, has] = skipped === 1 ? ['is', 'has'] : ['are', 'have']
  const gone = `${parcels(skipped)} had been shipped by another admin, ${is} not paid for any more, or ${has} another address by now.`
  if (shipped === 0) return { title: 'Nothing shipped', description: gone, destructive: true }
  const description = [`${parcels(shipped)} on the way.`, told, skipped > 0 ? gone : '']
    .filter(Boolean)
    .join(' ')
  return { title: 'Marked as shipped', description }
}
