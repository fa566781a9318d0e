import { fill } from '#words/fill.ts'
import { giftTexts } from '#words/gift.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { readText } from '../../form.ts'
import { formatDate } from '../../format.ts'
import { toast } from '../../toasts.tsx'
import { useRef, useState } from 'react'
import { giveRequest, maxNote, type GivenCopy } from '#contract/delivery/gifts.ts'
import { checkFields } from '../../check-fields.ts'
import { Button } from '../../components/button.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { Field, TextField } from '../../components/field.tsx'
import { useFocusWrong } from '../../focus-back.ts'
import { useUnsavedChanges } from '../../use-unsaved-changes.ts'

/** At this hour of the buyer's day. */
const hour = '07:00'

function readGift(form: FormData) {
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

/** What was typed stays, also when the server refuses it. */
export async function giveCopy(form: FormData): Promise<{ problems: FieldProblems | undefined }> {
  const json = readGift(form)
  const { email, send_at } = json
  try {
    await responseOf(api.purchases[':id'].gift.$put({ param: paramOf(form), json }))
  } catch (error) {
    const fields = error instanceof ProblemError ? error.fields : undefined
    if (!fields) toast(failure(giftTexts.failed, error))
    return { problems: fields ?? {} }
  }
  const { title, description } = send_at ? giftTexts.savedForDay : giftTexts.saved
  const date = send_at ? formatDate(send_at) : ''
  toast({ title, description: fill(description, { email, date }) })
  return { problems: undefined }
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

type GiftDialogProps = {
  given: GivenCopy | undefined
  problems: FieldProblems | undefined
  isBusy: boolean
  onSubmit: (fields: Record<string, string>) => void
  onClose: () => void
}

export default function GiftDialog({ given, problems, isBusy, onSubmit, onClose }: GiftDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const [fresh, setFresh] = useState<FieldProblems>()
  const shown = fresh ?? problems
  useFocusWrong(form, shown)
  const { markChanged, markSaved } = useUnsavedChanges()

  function submit(fields: FormData) {
    if (isBusy) return
    const wrong = checkFields(giveRequest, readGift(fields))
    const day = readText(fields, 'day')
    const isPast = day !== '' && day < tomorrow()
    const problem = isPast ? { ...wrong, day: giftTexts.dayNeeded } : wrong
    setFresh(problem)
    if (problem) return
    markSaved()
    onSubmit(Object.fromEntries([...fields.keys()].map((name) => [name, readText(fields, name)])))
  }

  return (
    <Dialog title={given ? giftTexts.titleChange : giftTexts.title} isBusy={isBusy} onClose={onClose}>
      <p className="mt-2 text-pretty text-soft">{giftTexts.text}</p>
      <form
        ref={form}
        noValidate
        className="mt-5 grid gap-4"
        onInput={markChanged}
        onSubmit={(event) => {
          event.preventDefault()
          submit(new FormData(event.currentTarget))
        }}
      >
        <Field
          label={giftTexts.email}
          name="email"
          type="email"
          autoComplete="off"
          defaultValue={given?.email}
          problem={shown?.['email']}
        />
        <Field
          label={giftTexts.recipient}
          name="recipient_name"
          autoComplete="off"
          required={false}
          maxLength={80}
          defaultValue={given?.recipient_name}
          problem={shown?.['recipient_name']}
        />
        <Field
          label={giftTexts.sender}
          name="sender_name"
          autoComplete="name"
          maxLength={80}
          defaultValue={given?.sender_name}
          problem={shown?.['sender_name']}
        />
        <TextField
          label={giftTexts.note}
          name="note"
          rows={4}
          required={false}
          maxLength={maxNote}
          hint={giftTexts.noteHint}
          defaultValue={given?.note}
          problem={shown?.['note']}
        />
        <Field
          label={giftTexts.day}
          name="day"
          type="date"
          required={false}
          min={tomorrow()}
          hint={giftTexts.dayHint}
          defaultValue={given?.state === 'scheduled' ? localDay(new Date(given.at)) : ''}
          problem={shown?.['day'] ?? shown?.['send_at']}
        />
        <p className="flex flex-wrap justify-end gap-3">
          <CancelButton disabled={isBusy} />
          <Button type="submit" disabled={isBusy}>
            {isBusy ? giftTexts.saving : given ? giftTexts.saveChange : giftTexts.save}
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

function tomorrow(): string {
  const day = new Date()
  day.setDate(day.getDate() + 1)
  return localDay(day)
}

/** As a date field has it, in the browser's time zone. */
function localDay(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}
