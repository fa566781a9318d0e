import { factorsTexts } from '#words/factors.ts'
import { fill } from '#words/fill.ts'
import { useState } from 'react'
import type { OwnFactors } from '#contract/accounts/own-factors.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { fillParts } from '../../fill-parts.tsx'
import { formatDate } from '../../format.ts'
import { addPasskey, removePasskey, renamePasskey, useCanUsePasskeys } from '../../passkeys.ts'
import { Time } from '../../time.tsx'
import { FactorList } from './factor-list.tsx'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { RemoveFactor } from './remove-factor.tsx'

type Passkey = OwnFactors['passkeys'][number]
type PasskeysPartProps = { passkeys: Passkey[]; isLast: boolean; onAdded: () => Promise<void> }

type Asked = { what: 'add' } | { what: 'rename' | 'remove'; id: string; name: string }

export function PasskeysPart({ passkeys, isLast, onAdded }: PasskeysPartProps) {
  const texts = factorsTexts.passkeys
  const canAdd = useCanUsePasskeys()
  const [asked, ask] = useState<Asked>()
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
      {asked?.what === 'add' && (
        <PasskeyDialog
          title={texts.add}
          done={texts.done}
          save={addPasskey}
          onDone={() => void onAdded()}
          onClose={close}
        />
      )}
      {asked?.what === 'rename' && (
        <PasskeyDialog
          title={texts.renameTitle}
          done={texts.renamed}
          name={asked.name}
          save={(name) => renamePasskey(asked.id, name)}
          onClose={close}
        />
      )}
      {asked?.what === 'remove' && (
        <RemoveFactor texts={texts} isLast={isLast} remove={() => removePasskey(asked.id)} onClose={close} />
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
