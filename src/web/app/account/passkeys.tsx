// The passkeys of an account: added, named and removed.
import { factorsTexts } from '#words/factors.ts'
import { useState } from 'react'
import { z } from 'zod'
import { line, optionalLine } from '#contract/fields.ts'
import type { Outcome } from '../../session/accounts.ts'
import { toast } from '../../notices/toasts.tsx'
import { fill } from '#words/texts.ts'
import type { OwnFactors } from '#contract/accounts/own-account.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../card.tsx'
import { FactorList } from './factor-list.tsx'
import { fillParts } from '../../format/fill-parts.tsx'
import { formatDate, Time } from '../../format/format.tsx'
import { accountTexts } from '#words/account.ts'
import type { FormResult } from '../../forms/form.ts'
import { DialogForm } from '../schema-form.tsx'
import { addPasskey, removePasskey, renamePasskey, useCanUsePasskeys } from '../../session/credentials.tsx'
import { RemoveFactor, useTask } from './remove-factor.tsx'

type PasskeyDialogProps = {
  title: string
  done: string
  /** Empty for a new one, which may have none. */
  name?: string
  save: (name: string) => Promise<Outcome>
  onDone?: () => void
  onClose: () => void
}

function PasskeyDialog({ title, done, name = '', save, onDone, onClose }: PasskeyDialogProps) {
  const texts = factorsTexts.passkeys
  const { run } = useTask()
  async function send(entered: { name: string }): Promise<FormResult> {
    const saved = await run(() => save(entered.name))
    if (!saved) return { isSaved: false }
    toast({ title: done })
    onClose()
    onDone?.()
    return { isSaved: true }
  }
  return (
    <DialogForm
      title={title}
      schema={name ? named : perhapsNamed}
      fields={{
        name: {
          label: texts.nameLabel,
          hint: name ? undefined : texts.nameHint,
          input: { maxLength: maxName },
        },
      }}
      values={{ name }}
      action={name ? accountTexts.save : texts.add}
      busyAction={factorsTexts.working}
      send={send}
      onClose={onClose}
    />
  )
}

const maxName = 100
const named = z.object({ name: line(maxName) })
const perhapsNamed = z.object({ name: optionalLine(maxName) })

type Passkey = OwnFactors['passkeys'][number]
type PasskeysPartProps = { passkeys: Passkey[]; isLast: boolean; onAdded: () => Promise<void> }

type FactorQuestion = { what: 'add' } | { what: 'rename' | 'remove'; id: string; name: string }

export function PasskeysPart({ passkeys, isLast, onAdded }: PasskeysPartProps) {
  const texts = factorsTexts.passkeys
  const canAdd = useCanUsePasskeys()
  const [question, ask] = useState<FactorQuestion>()
  const close = () => ask(undefined)
  const items = passkeys.map((passkey, n) => ({
    id: passkey.id,
    name: passkey.friendly_name ?? fill(texts.name, { number: n + 1 }),
    about: <About passkey={passkey} />,
  }))
  return (
    <Card title={texts.title} contentClass="grid gap-4 p-5">
      <p className="text-pretty">{texts.text}</p>
      {items.length > 0 && (
        <FactorList
          label={texts.title}
          items={items}
          onRename={({ id, name }) => ask({ what: 'rename', id, name })}
          onRemove={({ id, name }) => ask({ what: 'remove', id, name })}
        />
      )}
      {canAdd ? (
        <p>
          <Button look="outline" className="max-sm:w-full" onClick={() => ask({ what: 'add' })}>
            {texts.add}
          </Button>
        </p>
      ) : (
        <p className="text-soft">{texts.notPossible}</p>
      )}
      {question?.what === 'add' && (
        <PasskeyDialog
          title={texts.add}
          done={texts.done}
          save={addPasskey}
          onDone={() => void onAdded()}
          onClose={close}
        />
      )}
      {question?.what === 'rename' && (
        <PasskeyDialog
          title={texts.renameTitle}
          done={texts.renamed}
          name={question.name}
          save={(name) => renamePasskey(question.id, name)}
          onClose={close}
        />
      )}
      {question?.what === 'remove' && (
        <RemoveFactor
          texts={texts}
          isLast={isLast}
          remove={() => removePasskey(question.id)}
          onClose={close}
        />
      )}
    </Card>
  )
}

function About({ passkey: { created_at, last_used_at, is_of_old_address } }: { passkey: Passkey }) {
  const texts = factorsTexts.passkeys
  const date = (at: string) => <Time at={at} format={formatDate} />
  return (
    <>
      <p>
        {fillParts(factorsTexts.apps.added, { date: date(created_at) })}
        {' · '}
        {last_used_at ? fillParts(texts.lastUsed, { date: date(last_used_at) }) : texts.notUsed}
      </p>
      {is_of_old_address && <p className="mt-1 text-danger">{texts.oldAddress}</p>}
    </>
  )
}
