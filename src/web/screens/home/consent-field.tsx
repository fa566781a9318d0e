import { buyingTexts } from '#words/buying.ts'
import { useId } from 'react'

type ConsentFieldProps = { consent: string; isMissing: boolean }

/** Its value is the text that was agreed to: the shop stores it. */
export function ConsentField({ consent, isMissing }: ConsentFieldProps) {
  const id = useId()
  return (
    <div>
      <label className="flex cursor-pointer gap-3 text-sm text-pretty">
        <input
          type="checkbox"
          name="consent"
          value={consent}
          className="mt-0.5 size-5 shrink-0 accent-ink"
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? id : undefined}
        />
        {consent}
      </label>
      {isMissing && (
        <p id={id} className="mt-2 text-sm text-danger">
          {buyingTexts.tickBox}
        </p>
      )}
    </div>
  )
}
