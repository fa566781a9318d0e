// Second factors, and passkeys as a way to sign in. The first factor brings recovery codes.
import { factorsTexts } from '#words/factors.ts'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Outcome } from '../../accounts.ts'
import { toast } from '../../toasts.tsx'
import { withProof } from './account-form.tsx'
import { Confirm, Dialog, CancelButton } from '../../components/dialog.tsx'
import { fill, forCount } from '#words/texts.ts'
import type { OwnFactors, OwnAccount } from '#contract/accounts/accounts.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../card.tsx'
import {
  removeApp,
  startApp,
  type NewApp,
  makeCodes,
  AppDialog,
  inGroups,
  FactorList,
} from './factor-list.tsx'
import { fillParts } from '../../fill-parts.tsx'
import { formatDate, Time } from '../../format.tsx'
import { saveFile } from '../../save-file.ts'
import { useBook } from '../../shop.ts'
import { accountTexts } from '#words/account.ts'
import { Field } from '../../components/field.tsx'
import { asEntered, readText, useForm } from '../../form.ts'
import { addPasskey, removePasskey, renamePasskey, useCanUsePasskeys } from '../credentials.tsx'

/** A change beside the page's forms. `run` says what failed, and returns undefined then. */
function useTask() {
  const [isBusy, setIsBusy] = useState(false)
  const { revalidate } = useRevalidator()
  async function run<Result extends Outcome>(call: () => Promise<Result>): Promise<Result | undefined> {
    setIsBusy(true)
    const result = await withProof(call)
    setIsBusy(false)
    if (result?.problem) {
      toast({ title: factorsTexts.failed, description: result.problem, destructive: true })
      return undefined
    }
    if (result) void revalidate()
    return result
  }
  return { isBusy, run }
}

type RemoveFactorProps = {
  texts: { removeQuestion: string; removeText: string; removed: string }
  isLast: boolean
  remove: () => Promise<Outcome>
  onClose: () => void
}

function RemoveFactor({ texts, isLast, remove, onClose }: RemoveFactorProps) {
  const { isBusy, run } = useTask()
  async function confirm() {
    const removed = await run(remove)
    onClose()
    if (removed) toast({ title: texts.removed })
  }
  return (
    <Confirm
      title={texts.removeQuestion}
      action={factorsTexts.remove}
      isDanger
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>{texts.removeText}</p>
      {isLast && <p className="mt-3">{factorsTexts.removeLast}</p>}
    </Confirm>
  )
}

type AppsPartProps = { apps: OwnFactors['apps']; isLast: boolean; onAdded: () => Promise<void> }

function AppsPart({ apps, isLast, onAdded }: AppsPartProps) {
  const texts = factorsTexts.apps
  const [app, setApp] = useState<NewApp>()
  const [removed, setRemoved] = useState<string>()
  const { isBusy, run } = useTask()
  const items = apps.map(({ id, created_at }, n) => ({
    id,
    name: fill(texts.name, { number: n + 1 }),
    about: fillParts(texts.added, { date: <Time at={created_at} format={formatDate} /> }),
  }))
  return (
    <Card title={texts.title} contentClass="grid gap-4 p-5">
      <p className="text-pretty">{texts.text}</p>
      {items.length > 0 && (
        <FactorList label={texts.title} items={items} onRemove={({ id }) => setRemoved(id)} />
      )}
      <p>
        <Button
          look="outline"
          className="max-sm:w-full"
          disabled={isBusy}
          onClick={() => void run(startApp).then((started) => setApp(started?.app))}
        >
          {texts.add}
        </Button>
      </p>
      {app && (
        <AppDialog
          app={app}
          onAdded={() => {
            setApp(undefined)
            void onAdded()
          }}
          onClose={() => setApp(undefined)}
        />
      )}
      {removed && (
        <RemoveFactor
          texts={texts}
          isLast={isLast}
          remove={() => removeApp(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Card>
  )
}

// Recovery codes, which the shop can show only once.

type CodesDialogProps = { codes: readonly string[]; email: string; onClose: () => void }

function CodesDialog({ codes, email, onClose }: CodesDialogProps) {
  const texts = factorsTexts.codes
  const { title: shop } = useBook()
  const owner = fill(texts.of, { shop, email })
  const lines = codes.map(inGroups)
  return (
    <Dialog title={texts.shown} onClose={onClose}>
      <div data-alone className="print:visible">
        <p className="mt-3 text-pretty text-soft">{texts.shownText}</p>
        <p className="mt-4 hidden font-semibold print:block">{owner}</p>
        <ul className="mt-4 grid gap-x-6 gap-y-1 font-mono sm:grid-cols-2">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
      <p className="mt-6 flex flex-wrap gap-3 *:grow">
        <Button
          look="outline"
          onClick={() => saveFile(`${texts.file}.txt`, [owner, '', ...lines, ''].join('\n'))}
        >
          {texts.save}
        </Button>
        <Button look="outline" onClick={() => print()}>
          {texts.print}
        </Button>
        <Button onClick={onClose}>{texts.close}</Button>
      </p>
    </Dialog>
  )
}

type CodesPartProps = { left: number | null; onMade: (codes: string[] | undefined) => void }

function CodesPart({ left, onMade }: CodesPartProps) {
  const texts = factorsTexts.codes
  const [isAsking, setIsAsking] = useState(false)
  const { isBusy, run } = useTask()
  async function make() {
    const codes = await run(() => makeCodes(left !== null))
    setIsAsking(false)
    onMade(codes?.codes)
  }
  return (
    <Card title={texts.title} contentClass="grid gap-4 p-5">
      <p className="text-pretty">{texts.text}</p>
      {left !== null && <p className="font-semibold">{fill(forCount(texts.left, left), { count: left })}</p>}
      <p>
        <Button
          look="outline"
          className="max-sm:w-full"
          disabled={isBusy}
          onClick={() => (left === null ? void make() : setIsAsking(true))}
        >
          {left === null ? texts.make : texts.renew}
        </Button>
      </p>
      {isAsking && (
        <Confirm
          title={texts.renewQuestion}
          action={texts.renew}
          isBusy={isBusy}
          onConfirm={() => void make()}
          onClose={() => setIsAsking(false)}
        >
          {texts.renewText}
        </Confirm>
      )}
    </Card>
  )
}

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
  const { form, isBusy } = useForm(asEntered, send)
  async function send(entered: FormData) {
    const saved = await run(() => save(readText(entered, 'name').trim()))
    if (!saved) return
    toast({ title: done })
    onClose()
    onDone?.()
  }
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <form {...form} noValidate={false} className="mt-5">
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

type Passkey = OwnFactors['passkeys'][number]
type PasskeysPartProps = { passkeys: Passkey[]; isLast: boolean; onAdded: () => Promise<void> }

type FactorQuestion = { what: 'add' } | { what: 'rename' | 'remove'; id: string; name: string }

function PasskeysPart({ passkeys, isLast, onAdded }: PasskeysPartProps) {
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

export function FactorParts({ account: { email, factors } }: { account: OwnAccount }) {
  const [codes, setCodes] = useState<string[]>()
  const { run } = useTask()
  const { apps, passkeys, codes_left } = factors
  const count = apps.length + passkeys.length
  async function followAdded() {
    if (count > 0) return
    const codes = await run(() => makeCodes(false))
    setCodes(codes?.codes)
  }
  return (
    <>
      <PasskeysPart passkeys={passkeys} isLast={count === 1} onAdded={followAdded} />
      <AppsPart apps={apps} isLast={count === 1} onAdded={followAdded} />
      {count > 0 && <CodesPart left={codes_left} onMade={setCodes} />}
      {codes && <CodesDialog codes={codes} email={email} onClose={() => setCodes(undefined)} />}
    </>
  )
}
