// After the payment: a password that opens this purchase in other browsers, too.
import { fill } from '#words/fill.ts'
import { guestTexts } from '#words/guest.ts'
import { useId, useState } from 'react'
import { deviceHeader } from '#features/accounts/contract/device-header.ts'
import { minPasswordLength, passwordRule, passwordTooShort } from '#platform/contract/password-length.ts'
import { api, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { SubmitButton } from '../../credentials-form.tsx'
import { deviceId } from '../../device-id.ts'
import { readText } from '../../form.ts'
import type { GuestEntry } from '../../guest-purchases.ts'
import { useBusy } from '../../use-busy.ts'
import { Field } from '../../components/field.tsx'
import { PasswordField } from '../../components/password-field.tsx'

type ChoosePasswordProps = { id: string; entry: GuestEntry; isChosen: boolean }

export function ChoosePassword({ id, entry: { email, proof }, isChosen }: ChoosePasswordProps) {
  const titleId = useId()
  const [isSaved, setIsSaved] = useState(isChosen)
  const [problem, setProblem] = useState<string>()
  const [isBusy, submit] = useBusy(async (form) => {
    const password = readText(form, 'password')
    if (password.length < minPasswordLength) return setProblem(passwordTooShort())
    setProblem(undefined)
    try {
      const headers = { [deviceHeader]: deviceId() }
      const json = { proof, password }
      await responseOf(api.guest.purchases[':id'].password.$post({ param: { id }, json }, { headers }))
      setIsSaved(true)
    } catch (error) {
      setProblem(failure(guestTexts.passwordFailed, error).description)
    }
  })
  return (
    <section
      aria-labelledby={titleId}
      className="rounded-lg border border-line bg-surface p-6 text-start sm:p-8"
    >
      <h2 id={titleId} className="font-display text-2xl">
        {guestTexts.passwordTitle}
      </h2>
      <p className="mt-2 text-pretty break-words text-soft" role="status">
        {isSaved ? fill(guestTexts.passwordSaved, { email }) : guestTexts.passwordText}
      </p>
      {!isSaved && (
        <form method="post" noValidate className="mt-5" onSubmit={submit}>
          <fieldset disabled={isBusy} className="grid gap-4">
            <Field label={guestTexts.email} name="email" autoComplete="username" readOnly value={email} />
            <PasswordField
              label={guestTexts.password}
              name="password"
              autoComplete="new-password"
              hint={passwordRule()}
              reservesLine
              problem={problem}
            />
            <SubmitButton
              isBusy={isBusy}
              label={guestTexts.savePassword}
              busyLabel={guestTexts.savingPassword}
            />
          </fieldset>
        </form>
      )}
    </section>
  )
}
