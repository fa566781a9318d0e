// The dialog in which a buyer gives a copy.
import { readGift, type Gift } from './own-purchase.tsx'
import { giftTexts } from '#words/gift.ts'
import { readText, checkFields, useForm, type Checked, type FormResult } from '../../forms/form.ts'
import { giveRequest, maxNote } from '#contract/delivery/gifts.ts'
import { Button } from '../../components/button.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { Field, TextField } from '../../components/field.tsx'

type GiftDialogProps = {
  send: (gift: Gift) => Promise<FormResult>
  onClose: () => void
}

function check(form: HTMLFormElement): Checked<Gift> {
  const fields = new FormData(form)
  const values = readGift(fields)
  const wrong = checkFields(giveRequest, values)
  const day = readText(fields, 'day')
  const isPast = day !== '' && day < tomorrow()
  const problems = isPast ? { ...wrong, day: giftTexts.dayNeeded } : wrong
  return problems ? { problems } : { values }
}

export default function GiftDialog({ send, onClose }: GiftDialogProps) {
  const { form, isBusy, field, problems } = useForm(check, send, { asksBeforeLeaving: true })
  return (
    <Dialog title={giftTexts.title} isBusy={isBusy} onClose={onClose}>
      <p className="mt-2 text-pretty text-soft">{giftTexts.text}</p>
      <form {...form} className="mt-5 grid gap-4">
        <Field label={giftTexts.email} type="email" autoComplete="off" {...field('email')} />
        <Field
          label={giftTexts.recipient}
          autoComplete="off"
          required={false}
          maxLength={80}
          {...field('recipient_name')}
        />
        <Field label={giftTexts.sender} autoComplete="name" maxLength={80} {...field('sender_name')} />
        <TextField
          label={giftTexts.note}
          rows={4}
          required={false}
          maxLength={maxNote}
          hint={giftTexts.noteHint}
          {...field('note')}
        />
        <Field
          label={giftTexts.day}
          name="day"
          type="date"
          required={false}
          min={tomorrow()}
          hint={giftTexts.dayHint}
          problem={problems?.['day'] ?? problems?.['send_at']}
        />
        <p className="flex flex-wrap justify-end gap-3">
          <CancelButton disabled={isBusy} />
          <Button type="submit" disabled={isBusy}>
            {isBusy ? giftTexts.saving : giftTexts.save}
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

/** Returns tomorrow as a date field has it, in the browser's time zone. */
function tomorrow(): string {
  const day = new Date()
  day.setDate(day.getDate() + 1)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
