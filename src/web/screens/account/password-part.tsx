import { accountTexts } from '#words/account.ts'
import { authTexts } from '#words/auth.ts'
import type { z } from 'zod'
import { newPassword } from '#contract/accounts/accounts.ts'
import type { OwnAccount } from '#contract/accounts/own-account.ts'
import { passwordRule } from '#contract/password-length.ts'
import { changePassword } from '../../accounts.ts'
import { parseForm } from '../../read-form.ts'
import type { FormResult } from '../../use-action-form.ts'
import { Card } from '../../components/card.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { change } from './account-action.ts'
import { AccountForm } from './account-form.tsx'

export async function savePassword(form: FormData): Promise<FormResult> {
  const { values, problems } = parseForm(newPassword, form)
  if (problems) return { isSaved: false, problems }
  const fields = { weak_password: 'password', same_password: 'password' }
  return change(() => changePassword(values.password), {
    done: { title: accountTexts.password.saved },
    fields,
  })
}

export function PasswordPart({ account: { has_password, email } }: { account: OwnAccount }) {
  const { title, first, change: text, firstText, save } = accountTexts.password
  return (
    <Card title={has_password ? title : first} contentClass="grid gap-5 p-5">
      <p className="text-pretty">{has_password ? text : firstText}</p>
      <AccountForm<z.infer<typeof newPassword>> intent="password" label={save} isEmptied>
        {(field) => (
          <>
            {/* For password managers, which save the password with it. */}
            <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
            <PasswordField
              label={authTexts.newPassword}
              hint={passwordRule()}
              autoComplete="new-password"
              maxLength={200}
              {...field('password')}
            />
          </>
        )}
      </AccountForm>
    </Card>
  )
}
