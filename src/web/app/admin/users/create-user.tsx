// The form that makes an account, with a password that it can generate.
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { createUserRequest } from '#contract/accounts/accounts.ts'
import { problemCodeHeader } from '#contract/problems.ts'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import type { FormResult } from '../../../forms/form.ts'
import { toast } from '../../../notices/toasts.tsx'
import { textIn, toObject, type JsonObject } from '../../../page/page-state.ts'
import { accessToken } from '../../../session/session.ts'
import { Card } from '../../card.tsx'
import { askForProof, isProofNeeded } from '../../proof-dialog.tsx'
import { Input, type FieldProps } from '../../schema-fields.tsx'
import { SchemaForm, type SentForm } from '../../schema-form.tsx'
import { WandSparkles } from '../icons.tsx'

type NewUser = z.output<typeof createUserRequest>

export default function CreateUserForm({ onDone }: { onDone: () => void }) {
  const { revalidate } = useRevalidator()
  async function send(user: NewUser) {
    const result = await createUser(user)
    await revalidate()
    if (result.isSaved) onDone()
    return result
  }
  return (
    <Card title="Create a new account">
      <SchemaForm
        schema={createUserRequest}
        fields={{
          email: { label: 'Email', beside: 'wide' },
          displayName: { label: 'Display name (optional)', beside: 'wide' },
          password: { label: 'Password', beside: 'wide', as: NewPassword },
          role: { label: 'Role', beside: 'wide', options: ['user', 'admin'] },
        }}
        values={{ role: 'user' }}
        className="p-5"
        button="Create User"
        busyButton="Creating User..."
        send={send}
      />
    </Card>
  )
}

function NewPassword(props: FieldProps<SentForm>) {
  const [password, setPassword] = useState('')
  return (
    <>
      <Input {...props} input={{ autoComplete: 'new-password' }} typed={password} onType={setPassword} />
      <p className="mt-2 flex flex-wrap gap-2">
        <Button
          look="outline"
          onClick={() => {
            setPassword(generatePassword())
            props.form.markChanged()
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
            description: 'Send it in a way that only its owner can read.',
          }}
          notCopied={{
            title: 'Couldn’t copy',
            description: 'Your browser does not allow it here. Show the password and copy it by hand.',
          }}
        />
      </p>
    </>
  )
}

async function createUser(user: NewUser): Promise<FormResult> {
  try {
    const call = () => invoke(JSON.stringify(user))
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

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*'
const length = 12

/**
 * 12 letters, digits and signs, from a cryptographic source. Bytes that would favor the first characters are discarded.
 */
export function generatePassword(): string {
  const fair = 256 - (256 % characters.length)
  let password = ''
  while (password.length < length) {
    const bytes = crypto.getRandomValues(new Uint8Array(length))
    for (const byte of bytes)
      if (byte < fair && password.length < length) password += characters[byte % characters.length]
  }
  return password
}
