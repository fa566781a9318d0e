// Without scripts, the receipts of an address stand for the sign-in by code: a form that is posted as it is.
import { use } from 'react'
import { receiptsPath } from '#contract/paths.ts'
import { findPurchaseTexts } from '#words/find-purchase.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { FormAnswerContext } from '../../forms/form.ts'

export function ReceiptsForm({ sendsMail }: { sendsMail: boolean }) {
  const texts = findPurchaseTexts
  const posted = use(FormAnswerContext)
  const answer = posted?.action === receiptsPath ? posted : undefined
  return (
    <noscript className="grid w-full justify-items-center gap-6">
      <p className="text-pretty">{texts.needsScripts}</p>
      {sendsMail && (
        <form method="post" action={receiptsPath} className="grid w-full max-w-xl gap-5 text-start">
          <p className="text-pretty">{texts.byReceipt}</p>
          <Field
            label={texts.email}
            type="email"
            name="email"
            autoComplete="email"
            defaultValue={answer?.values['email']}
            problem={answer?.problems?.['email']}
          />
          <p>
            <Button type="submit">{texts.getReceipts}</Button>
          </p>
        </form>
      )}
    </noscript>
  )
}
