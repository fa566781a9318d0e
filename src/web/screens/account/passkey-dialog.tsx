import { accountTexts } from '#words/account.ts'
import { factorsTexts } from '#words/factors.ts'
import type { Outcome } from '../../accounts.ts'
import { Button } from '../../components/button.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { readText } from '../../form.ts'
import { toast } from '../../toasts.tsx'
import { useTask } from './use-task.ts'

type PasskeyDialogProps = {
  title: string
  done: string
  /** Empty for a new one, which may have none. */
  name?: string
  save: (name: string) => Promise<Outcome>
  onDone?: () => void
  onClose: () => void
}

export function PasskeyDialog({ title, done, name = '', save, onDone, onClose }: PasskeyDialogProps) {
  const texts = factorsTexts.passkeys
  const { isBusy, run } = useTask()
  async function send(written: string) {
    const saved = await run(() => save(written))
    if (!saved) return
    toast({ title: done })
    onClose()
    onDone?.()
  }
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <form
        method="post"
        className="mt-5"
        onSubmit={(event) => {
          event.preventDefault()
          void send(readText(new FormData(event.currentTarget), 'name').trim())
        }}
      >
        <fieldset disabled={isBusy} className="grid gap-5">
          <Field
            label={texts.nameLabel}
            hint={name ? undefined : texts.nameHint}
            name="name"
            required={name !== ''}
            maxLength={100}
            autoComplete="off"
            defaultValue={name}
          />
          <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
            <CancelButton />
            <Button type="submit">
              {isBusy ? factorsTexts.working : name ? accountTexts.save : texts.add}
            </Button>
          </p>
        </fieldset>
      </form>
    </Dialog>
  )
}
