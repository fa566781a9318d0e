// Sends a list that was checked, and says what came of it.
import type { GiftsApi } from '#features/gifts/admin-routes.ts'
import type { GiftSending, GiftsSent } from '#features/gifts/contract/gifts.ts'
import { adminClient, ProblemError, responseOf } from '../../../api.ts'
import { failure } from '../../../copy.ts'
import { readText } from '../../../form.ts'
import { toast } from '../../../toasts.tsx'
import { giveOwnCode, proofAskedBy, type AskedProof } from '../proof-fields.tsx'

const api = adminClient<GiftsApi>()

export type SendResult = { sent: GiftsSent } | { proof: AskedProof | undefined }

/** A failure was told where no proof is asked for. */
export async function sendGifts(sending: GiftSending, proof: FormData | undefined): Promise<SendResult> {
  const current_password = (proof && readText(proof, 'current_password')) || undefined
  try {
    const wrong = proof && (await giveOwnCode(proof))
    if (wrong) return { proof: { wrong } }
    const json = { ...sending, ...(current_password && { current_password }) }
    return { sent: await responseOf(api.gifts.$post({ json })) }
  } catch (error) {
    const asked = proofAskedBy(error)
    const isRefused = error instanceof ProblemError && error.status < 500
    if (!asked) toast(isRefused ? failure('Not Sent', error) : uncertain)
    return { proof: asked }
  }
}

const uncertain = {
  title: 'No Answer',
  description: 'Some may have got it. Send the same list again: nobody gets it twice.',
  destructive: true,
}
