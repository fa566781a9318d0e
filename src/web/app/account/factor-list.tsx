// Authenticator apps and recovery codes, by auth-js.
import { factorsTexts } from '#words/factors.ts'
import { fill } from '#words/texts.ts'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { authTexts } from '#words/auth.ts'
import { useRevalidator } from 'react-router'
import { giveCode, outcome, type Outcome } from '../../session/accounts.ts'
import { CodeField, readCode } from '../../session/credentials.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { toast } from '../../notices/toasts.tsx'
import { asEntered, useForm, type FormResult } from '../../forms/form.ts'
import { authClient, renewSession } from '../../session/session.ts'

type Item = { id: string; name: string; about: ReactNode }

type FactorListProps<Shown extends Item> = {
  label: string
  items: readonly Shown[]
  onRemove: (item: Shown) => void
  onRename?: (item: Shown) => void
}

export function FactorList<Shown extends Item>(props: FactorListProps<Shown>) {
  const { label, items, onRemove, onRename } = props
  return (
    <ul aria-label={label} className="grid divide-y divide-line border-y border-line">
      {items.map((item) => (
        <li key={item.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
          <div className="min-w-0 break-words">
            <p className="font-semibold">{item.name}</p>
            <div className="text-sm text-pretty text-soft">{item.about}</div>
          </div>
          <p className="flex flex-wrap gap-2">
            {onRename && (
              <Button
                look="outline"
                aria-label={fill(factorsTexts.renameOne, { name: item.name })}
                onClick={() => onRename(item)}
              >
                {factorsTexts.passkeys.rename}
              </Button>
            )}
            <Button
              look="outline"
              aria-label={fill(factorsTexts.removeOne, { name: item.name })}
              onClick={() => onRemove(item)}
            >
              {factorsTexts.remove}
            </Button>
          </p>
        </li>
      ))}
    </ul>
  )
}

type AppDialogProps = { app: NewApp; onAdded: () => void; onClose: () => void }

/** The app counts once one of its codes was right. */
export function AppDialog({ app, onAdded, onClose }: AppDialogProps) {
  const texts = factorsTexts.apps
  const { revalidate } = useRevalidator()
  const { form, isBusy, field } = useForm(asEntered, send)
  async function send(entered: FormData): Promise<FormResult> {
    const code = readCode(entered)
    const problem = code ? (await giveCode(app.id, code)).problem : authTexts.codeProblem
    if (problem) return { isSaved: false, problems: { code: problem } }
    toast({ title: texts.done })
    void revalidate()
    onAdded()
    return { isSaved: true }
  }
  return (
    <Dialog title={texts.setUp} isBusy={isBusy} onClose={onClose}>
      <p className="mt-3 text-pretty text-soft">{texts.scan}</p>
      <img src={app.picture} alt={texts.picture} className="mx-auto mt-4 size-48 rounded-md bg-white p-1" />
      <dl className="mt-4 text-center">
        <dt className="text-sm text-soft">{texts.key}</dt>
        <dd className="font-mono break-words select-all">{inGroups(app.key)}</dd>
      </dl>
      <form {...form} className="mt-5">
        <fieldset disabled={isBusy} className="grid gap-5">
          <CodeField label={texts.code} {...field('code')} />
          <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
            <CancelButton />
            <Button type="submit">{isBusy ? authTexts.checking : texts.check}</Button>
          </p>
        </fieldset>
      </form>
    </Dialog>
  )
}

/** Splits the text into groups of four, to be read aloud and typed. */
export function inGroups(text: string): string {
  return text.replaceAll(/(.{4})(?=.)/g, '$1 ')
}

/** `picture` is an address of data. */
export type NewApp = { id: string; picture: string; key: string }

export async function startApp(): Promise<Outcome & { app?: NewApp | undefined }> {
  let app: NewApp | undefined
  const started = await outcome(async () => {
    const { data, error } = await (await authClient()).mfa.enroll({ factorType: 'totp' })
    if (data) app = { id: data.id, picture: data.totp.qr_code, key: data.totp.secret }
    return { error }
  })
  return { ...started, app }
}

/** The session is renewed: it hears that its last factor has gone. */
export async function removeApp(factorId: string): Promise<Outcome> {
  const removed = await outcome(() => authClient().then((auth) => auth.mfa.unenroll({ factorId })))
  if (!removed.problem) await renewSession()
  return removed
}

/** Replaces those that there are. */
export async function makeCodes(hasCodes: boolean): Promise<Outcome & { codes?: string[] | undefined }> {
  let codes: string[] | undefined
  const created = await outcome(async () => {
    const { recoveryCodes } = (await authClient()).mfa
    const { data, error } = await (hasCodes ? recoveryCodes.regenerate() : recoveryCodes.generate())
    codes = data?.codes
    return { error }
  })
  return { ...created, codes }
}
