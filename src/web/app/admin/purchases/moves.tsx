import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import { moveRequest } from '#contract/readers/moves.ts'
import type { PurchaseMovesApi } from '#domains/readers/moved-purchases.routes.ts'
import { isCompleted } from '#contract/orders/purchases.ts'
import { useState } from 'react'
import { responseOf } from '../../../api.ts'
import { Time } from '../../../format.tsx'
import { Card } from '../../../components/card.tsx'
import { Field } from '../../../components/field.tsx'
import { adminClient } from '../admin-client.ts'
import { DialogFormButton } from '../action-form.tsx'

const { moves } = adminClient<PurchaseMovesApi>().purchases[':id']

/** For a purchase that was bought under a mistyped address. */
export function MoveButton({ purchase: { id, status, email, is_going_back } }: { purchase: OrderDetail }) {
  // A repeated press, after a lost response, is the same move.
  const [move_id, setMoveId] = useState(() => crypto.randomUUID())
  if (!isCompleted(status) || is_going_back || !email) return null
  return (
    <DialogFormButton
      button={{ look: 'outline', children: 'Move to another address' }}
      title="Move to another address"
      about={
        <>
          For a buyer who mistyped the address. The purchase stops opening for {email}, whose links end, and
          the new address gets the receipt. Each address gets an email that does not name the other, and the
          old one may object.
        </>
      }
      action="Move"
      schema={moveRequest}
      call={(json) => responseOf(moves[':move_id'].$put({ param: { id, move_id }, json }))}
      done={() => {
        setMoveId(crypto.randomUUID())
        return { title: 'Purchase moved', description: 'The receipt is on its way to the new address.' }
      }}
      failed="Couldn’t move"
    >
      {(field) => (
        <>
          <Field label="New address" type="email" autoComplete="off" spellCheck={false} {...field('email')} />
          <Field
            label="Reason"
            hint="For the log, and beside the order."
            maxLength={300}
            {...field('reason')}
          />
        </>
      )}
    </DialogFormButton>
  )
}

export function Moves({ purchase: { moves: all } }: { purchase: OrderDetail }) {
  if (all.length === 0) return null
  return (
    <Card title="Moved">
      <ul className="divide-y divide-line">
        {all.map(({ id, from, to, reason, created_at, objected_at }) => (
          <li key={id} className="grid gap-1 px-5 py-4 text-sm">
            <p className="break-words">
              From {from || 'an erased account'} to <strong>{to || 'an erased account'}</strong>,{' '}
              <Time at={created_at} />
            </p>
            {reason && <p className="break-words text-soft">{reason}</p>}
            {objected_at && (
              <p className="font-semibold text-danger">
                The former address has objected, <Time at={objected_at} />. Its message is under Messages.
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
