// Cards of the account page: name, password, sessions and erasure.
import { accountTexts } from '#words/account.ts'
import { useState } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '../../components/button.tsx'
import { type FormResult, readText } from '../../forms/form.ts'
import { changeName, changePassword, signOutOthers } from '../../session/accounts.ts'
import { responseOf } from '../../api.ts'
import { profileForm, type OwnAccount, type OwnSession } from '#contract/accounts/own-account.ts'
import { newPassword } from '#contract/accounts/accounts.ts'
import { Card } from '../card.tsx'
import { authTexts } from '#words/auth.ts'
import { passwordRule } from '#contract/field-rules.ts'
import { AccountForm, change, changeByApi, accountApi } from './account-form.tsx'
import { fill } from '#words/texts.ts'
import { formatDate, formatMoment } from '../../format/format.tsx'
import { Badge, Callout } from '../../components/note.tsx'
import type { OwnErasure } from '#contract/privacy/erasures.ts'
import { Confirm } from '../../components/dialog.tsx'

export function ProfilePart({ account }: { account: OwnAccount }) {
  return (
    <Card title={accountTexts.profile.title} contentClass="p-5">
      <AccountForm
        schema={profileForm}
        fields={{
          display_name: {
            label: accountTexts.profile.name,
            hint: accountTexts.profile.hint,
            input: { autoComplete: 'name', maxLength: 200 },
          },
        }}
        values={{ display_name: account.display_name }}
        save={({ display_name: name }) =>
          change(() => changeName(name), { done: { title: accountTexts.profile.saved } })
        }
      />
    </Card>
  )
}

export function PasswordPart({ account: { has_password, email } }: { account: OwnAccount }) {
  const { title, first, change: text, firstText, save } = accountTexts.password
  return (
    <Card title={has_password ? title : first} contentClass="grid gap-5 p-5">
      <p className="text-pretty">{has_password ? text : firstText}</p>
      <AccountForm
        schema={newPassword}
        fields={{
          password: {
            label: authTexts.newPassword,
            hint: passwordRule(),
            input: { autoComplete: 'new-password', maxLength: 200 },
          },
        }}
        save={({ password }) =>
          change(() => changePassword(password), {
            done: { title: accountTexts.password.saved },
            fields: { weak_password: 'password', same_password: 'password' },
          })
        }
        label={save}
      >
        {/* Password managers save the password with this address. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      </AccountForm>
    </Card>
  )
}

const asksProof = true

export function endSession(form: FormData): Promise<FormResult> {
  const { ended, couldNotEnd } = accountTexts.sessions
  const call = () => responseOf(accountApi.sessions[':id'].$delete({ param: { id: readText(form, 'id') } }))
  return changeByApi(call, { done: { title: ended }, failed: couldNotEnd, asksProof })
}

export function endOtherSessions(): Promise<FormResult> {
  const { othersEnded, couldNotEnd } = accountTexts.sessions
  return change(signOutOthers, { done: { title: othersEnded }, failed: couldNotEnd })
}

export function SessionsPart({ sessions }: { sessions: readonly OwnSession[] }) {
  const fetcher = useFetcher<FormResult>()
  const { title, text, end, endOthers } = accountTexts.sessions
  const isBusy = fetcher.state !== 'idle'
  const submit = (fields: Record<string, string>) => void fetcher.submit(fields, { method: 'post' })
  return (
    <Card title={title}>
      <p className="border-b border-line p-5 text-pretty text-soft">{text}</p>
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
            <SessionText session={session} />
            {!session.is_current && (
              <Button
                look="outline"
                disabled={isBusy}
                aria-label={`${end}: ${nameOf(session)}`}
                onClick={() => submit({ intent: 'session', id: session.id })}
              >
                {end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 2 && (
        <p className="border-t border-line p-5">
          <Button
            look="outline"
            disabled={isBusy}
            className="max-sm:w-full"
            onClick={() => submit({ intent: 'sessions' })}
          >
            {endOthers}
          </Button>
        </p>
      )}
    </Card>
  )
}

function nameOf({ browser, system }: OwnSession): string {
  const { browserOn, unknownBrowser } = accountTexts.sessions
  const name = browser ?? unknownBrowser
  return system ? fill(browserOn, { browser: name, system }) : name
}

function SessionText({ session }: { session: OwnSession }) {
  const { isCurrent, seen } = accountTexts.sessions
  const { signed_in_at, last_seen_at } = session
  return (
    <div className="min-w-0">
      <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold wrap-anywhere">
        {nameOf(session)}
        {session.is_current && <Badge>{isCurrent}</Badge>}
      </h3>
      <p className="mt-1 text-sm text-soft">
        {fill(seen, { date: formatDate(signed_in_at), time: formatMoment(last_seen_at) })}
      </p>
    </div>
  )
}

export const askForErasure = () =>
  changeByApi(() => responseOf(accountApi.erasure.$post()), {
    done: { title: accountTexts.erasure.asked },
    asksProof,
  })

export const cancelErasure = () =>
  changeByApi(() => responseOf(accountApi.erasure.$delete()), {
    done: { title: accountTexts.erasure.stays },
    asksProof,
  })

export function ErasurePart({ erasure }: { erasure: OwnErasure }) {
  const { title, text, gone, purchases, locked, copies, open, admin } = accountTexts.erasure
  return (
    <Card title={title} contentClass="grid gap-4 p-5">
      {erasure.due_at && (
        <Callout>
          <p className="font-semibold">
            {fill(accountTexts.erasure.due, { date: formatDate(erasure.due_at) })}
          </p>
          {erasure.has_open_orders && <p className="mt-1">{open}</p>}
        </Callout>
      )}
      <p>{text}</p>
      <ul className="grid list-disc gap-2 ps-5 text-pretty marker:text-soft">
        {[gone, purchases, locked, copies].map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      {erasure.has_open_orders && !erasure.due_at && <p className="text-pretty">{open}</p>}
      {erasure.is_admin ? (
        <p className="text-pretty">{admin}</p>
      ) : (
        <Actions isAsked={erasure.due_at !== null} />
      )}
    </Card>
  )
}

function Actions({ isAsked }: { isAsked: boolean }) {
  const { keep, ask, question, questionText } = accountTexts.erasure
  const fetcher = useFetcher<FormResult>()
  const [isAsking, setIsAsking] = useState(false)
  const isBusy = fetcher.state !== 'idle'
  const submit = (intent: string) => void fetcher.submit({ intent }, { method: 'post' })
  return (
    <p>
      <Button
        look="outline"
        disabled={isBusy}
        className="max-sm:w-full"
        onClick={() => (isAsked ? submit('keep') : setIsAsking(true))}
      >
        {isAsked ? keep : ask}
      </Button>
      {isAsking && (
        <Confirm
          title={question}
          action={ask}
          isDanger
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false)
            submit('erase')
          }}
        >
          <p>{questionText}</p>
        </Confirm>
      )}
    </p>
  )
}
