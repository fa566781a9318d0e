import { accountTexts } from '#words/account.ts'
import type { z } from 'zod'
import { profileForm, type OwnAccount } from '#contract/accounts/own-account.ts'
import { changeName } from '../../accounts.ts'
import { parseForm } from '../../read-form.ts'
import type { FormResult } from '../../use-action-form.ts'
import { Card } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { change } from './account-action.ts'
import { AccountForm } from './account-form.tsx'

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
