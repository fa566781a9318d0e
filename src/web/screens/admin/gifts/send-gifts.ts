import type { GiftsApi } from '#features/gifts/admin-routes.ts'
import type { GiftSending, GiftsSent } from '#features/gifts/contract/gifts.ts'
import { ProblemError, responseOf } from '../../../api.ts'
import { failure } from '../../../copy.ts'
import { toast } from '../../../toasts.tsx'
import { adminClient, isProofMissing } from '../admin-client.ts'

const api = adminClient<GiftsApi>('Send')

export async function sendGifts(sending: GiftSending): Promise<GiftsSent | undefined> {
  try {
    return await responseOf(api.gifts.$post({ json: sending }))
  } catch (error) {
    const isRefused = error instanceof ProblemError && error.status < 500
    if (!isProofMissing(error)) toast(isRefused ? failure('Couldn’t send', error) : uncertain)
    return undefined
  }
}

const uncertain = {
  title: 'No response',
  description: 'Some may have got it. Send the same list again: nobody gets it twice.',
  destructive: true,
}
