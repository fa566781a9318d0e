import { CopyButton } from '../../../copy-button.tsx'
import { WandSparkles } from '../icons.tsx'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { useFetcher } from 'react-router'
import { toast } from '../../../toasts.tsx'
import { createUserRequest } from '#contract/accounts/accounts.ts'
import { problemCodeHeader } from '#contract/problems.ts'
import { textIn, toObject, type JsonObject } from '../../../json.ts'
import { parseForm } from '../../../read-form.ts'
import { accessToken } from '../../../session.ts'
import { askForProof, isProofNeeded } from '../../../proof-dialog.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Field } from '../../../components/field.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import { useActionForm, type FormResult } from '../../../use-action-form.ts'
import { generatePassword } from './generate-password.ts'

const roleOptions = [
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Admin' },
]

export function CreateUserForm({ onDone }: { onDone: () => void }) {
  const fetcher = useFetcher<FormResult>()
  const [password, setPassword] = useState('')
  const isBusy = fetcher.state !== 'idle'
  const { form, field, markChanged } = useActionForm<z.infer<typeof createUserRequest>>(fetcher.data, {
    isBusy,
  })
  const isDone = !isBusy && fetcher.data?.isSaved === true
  useEffect(() => {
    if (isDone) onDone()
  }, [isDone, onDone])

  return (
    <Card title="Create a new account">
      <fetcher.Form ref={form} method="post" noValidate className="p-5" onInput={markChanged}>
        <fieldset disabled={isBusy} className="grid items-start gap-5 sm:grid-cols-2">
          <Field label="Email" type="email" autoComplete="off" {...field('email')} />
          <Field
            label="Display name (optional)"
            required={false}
            autoComplete="off"
            {...field('displayName')}
          />
          <div>
            <PasswordField
              label="Password"
              autoComplete="new-password"
              {...field('password')}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
            <p className="mt-2 flex flex-wrap gap-2">
              <Button
                look="outline"
                onClick={() => {
                  setPassword(generatePassword())
                  markChanged()
                }}
              >
                <WandSparkles aria-hidden className="size-4.5" />
                Generate
              </Button>
              <CopyButton
                label="Copy"
                text={password}
                copied={{
                  title: 'Password Copied',
                  description: 'Hand it over by a way that only its owner reads.',
                }}
                notCopied={{
                  title: 'Couldn’t copy',
                  description: 'Your browser does not allow it here. Show the password and copy it by hand.',
                }}
              />
            </p>
          </div>
          <SelectField label="Role" name="role" defaultValue="user" options={roleOptions} />
          <p className="sm:col-span-2">
            <Button type="submit">{isBusy ? 'Creating User...' : 'Create User'}</Button>
          </p>
        </fieldset>
      </fetcher.Form>
    </Card>
  )
}

export async function createUserAction({ request }: { request: Request }): Promise<FormResult> {
  const { values: json, problems } = parseForm(createUserRequest, await request.formData())
  if (problems) return { isSaved: false, problems }
  try {
    const call = () => invoke(JSON.stringify(json))
    let { body, code } = await call()
    if (isProofNeeded(code) && (await askForProof('Continue'))) ({ body, code } = await call())
    if (body['success'] !== true) return refused(textIn(body, 'error') ?? 'Failed to create user')
    toast({ title: 'User Created', description: textIn(body, 'message') ?? '' })
    return { isSaved: true }
  } catch {
    return refused('Failed to create user')
  }
}

async function invoke(body: string): Promise<{ body: JsonObject; code?: string | undefined }> {
  const token = await accessToken()
  if (!token) return { body: { error: 'No active session' } }
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch('/functions/v1/admin-create-user', { method: 'POST', headers, body })
  const code = response.headers.get(problemCodeHeader) ?? undefined
  return { body: toObject(await response.json()), code }
}

function refused(description: string): FormResult {
  toast({ title: 'Error', description, destructive: true })
  return { isSaved: false }
}
