// Buying with an address only: the order is sent with the proof that this browser keeps, then Stripe's page opens.
import { guestTexts } from '#words/guest.ts'
import { redirect } from 'react-router'
import type { ProblemCode } from '#contract/refusals.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { readText } from '../../form.ts'
import { beginGuestPurchase, saveEntry } from '../../guest-purchases.ts'
import { leaveFor } from '../../leave-for.ts'
import { toast } from '../../toasts.tsx'
import { dropDiscount } from './enter-discount.ts'
import { endedCodes, endedSales, toSignIn } from './after-ordering.ts'

export type GuestResponse = {
  /** Not known of a buyer without an account. */
  isOwned: false
  emailProblem?: string | undefined
  notice?: string | undefined
  isOutdated?: boolean
}

const accountFirst: readonly string[] = [
  'guest_checkout.nothing_to_pay',
  'guest_checkout.not_offered',
] satisfies ProblemCode[]

export async function buyAsGuest(form: FormData): Promise<GuestResponse | Response> {
  const product_id = readText(form, 'product_id')
  const code = readText(form, 'code') || undefined
  const country = readText(form, 'country') || undefined
  const consent = readText(form, 'consent') || undefined
  const shipping = Number(readText(form, 'shipping'))
  try {
    const entry = beginGuestPurchase(product_id, readText(form, 'email'))
    const { proof, email } = entry
    const json = {
      product_id,
      email,
      proof,
      ...(code && { code }),
      ...(country && { country }),
      ...(consent && { consent }),
      ...(shipping > 0 && { shipping }),
    }
    const { id, checkout_url } = await responseOf(api.guest.purchases.$post({ json }))
    saveEntry({ ...entry, purchase_id: id })
    if (!checkout_url) return redirect(`/purchase/${id}`)
    await leaveFor(checkout_url)
    return { isOwned: false }
  } catch (error) {
    return explain(error, { product_id, code })
  }
}

function explain(
  error: unknown,
  { product_id, code }: { product_id: string; code: string | undefined },
): GuestResponse | Response {
  const problem = error instanceof ProblemError ? error : undefined
  if (problem && accountFirst.includes(problem.code)) {
    toast({ title: guestTexts.accountFirst, description: problem.message })
    return toSignIn(product_id, code)
  }
  if (problem && endedCodes.includes(problem.code)) dropDiscount()
  const emailProblem = problem?.fields?.['email']
  return {
    isOwned: false,
    emailProblem,
    notice: emailProblem ? undefined : failure(guestTexts.failed, error).description,
    isOutdated: problem !== undefined && endedSales.includes(problem.code),
  }
}
