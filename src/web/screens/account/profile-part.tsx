import { accountTexts } from '#words/account.ts'
import type { z } from 'zod'
import { profileForm, type OwnAccount } from '#contract/accounts/own-account.ts'
import { changeName, changePassword } from '../../accounts.ts'
import { parseForm, type FormResult } from '../../use-checked-form.ts'
import { Card } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { change, AccountForm } from './account-form.tsx'
import { authTexts } from '#words/auth.ts'
import { newPassword } from '#contract/accounts/accounts.ts'
import { passwordRule } from '#contract/password-length.ts'
import { PasswordField } from '../../components/password-field.tsx'

export async function saveProfile(form: FormData): Promise<FormResult> {
  const { values, problems } = parseForm(profileForm, form)
  if (problems) return { isSaved: false, problems }
  return change(() => changeName(values.display_name), { done: { title: accountTexts.profile.saved } })
}

export function ProfilePart({ account }: { account: OwnAccount }) {
  return (
    <Card title={accountTexts.profile.title} contentClass="p-5">
      <AccountForm<z.infer<typeof profileForm>> intent="profile">
        {(field) => (
          <Field
            label={accountTexts.profile.name}
            hint={accountTexts.profile.hint}
            required={false}
            autoComplete="name"
            maxLength={200}
            defaultValue={account.display_name ?? ''}
            {...field('display_name')}
          />
        )}
      </AccountForm>
    </Card>
  )
}

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
