// Apart from the dialog, which is loaded when it opens.
import { fill } from '#words/fill.ts'
import { giftTexts } from '#words/gift.ts'
import { api, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { readText, type FormResult } from '../../form.ts'
import { formatDate } from '../../format.tsx'
import { showRefusal } from '../../refusal.ts'
import { toast } from '../../toasts.tsx'

/** At this hour of the buyer's day. */
const hour = '07:00'

export function readGift(form: FormData) {
  const text = (name: string) => readText(form, name)
  const day = text('day')
  return {
    email: text('email'),
    recipient_name: text('recipient_name'),
    sender_name: text('sender_name'),
    note: text('note'),
    send_at: day ? new Date(`${day}T${hour}`).toISOString() : null,
  }
}

export type Gift = ReturnType<typeof readGift>

export async function giveCopy(id: string, json: Gift): Promise<FormResult> {
  const { email, send_at } = json
  try {
    await responseOf(api.purchases[':id'].gift.$put({ param: { id }, json }))
  } catch (error) {
    return showRefusal(giftTexts.failed, error)
  }
  const { title, description } = send_at ? giftTexts.savedForDay : giftTexts.saved
  const date = send_at ? formatDate(send_at) : ''
  toast({ title, description: fill(description, { email, date }) })
  return { isSaved: true }
}

export async function mailGift(form: FormData): Promise<void> {
  try {
    await responseOf(api.purchases[':id'].gift.mails.$post({ param: paramOf(form) }))
    const { title, description } = giftTexts.sentAgain
    toast({ title, description: fill(description, { email: readText(form, 'email') }) })
  } catch (error) {
    toast(failure(giftTexts.failed, error))
  }
}

export async function takeCopyBack(form: FormData): Promise<void> {
  try {
    await responseOf(api.purchases[':id'].gift.$delete({ param: paramOf(form) }))
    toast(giftTexts.takenBack)
  } catch (error) {
    toast(failure(giftTexts.failed, error))
  }
}

const paramOf = (form: FormData) => ({ id: readText(form, 'purchase_id') })
