import { readGift } from './give-copy.ts'
import { giftTexts } from '#words/gift.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { readText, checkFields, useFocusWrong } from '../../form.ts'
import { useRef, useState } from 'react'
import { giveRequest, maxNote, type GivenCopy } from '#contract/delivery/gifts.ts'
import { Button } from '../../components/button.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { Field, TextField } from '../../components/field.tsx'
import { useUnsavedChanges } from '../../use-unsaved-changes.ts'

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
