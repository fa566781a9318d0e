// The panel in which a discount code is entered, shown and dropped.
import { buyingTexts } from '#words/buying.ts'
import { useCallback, useEffect, useRef, useState, useId } from 'react'
import type { Discount } from '#contract/orders/discounts.ts'
import type { Product } from '#contract/catalog/products.ts'
import { ProblemError, failure } from '../../notices/send.ts'
import { refusedCode } from '../../page/page-state.ts'
import { Button } from '../../components/button.tsx'
import { Check } from '../../components/icons.tsx'
import { DiscountButton } from './discount-button.tsx'
import { dropCode, dropDiscount, enterDiscount } from './enter-discount.ts'
import { codesToEnter, useDiscount } from './entered-discount.ts'
import { DiscountSentence, useLowersPrices } from './discount-sentence.tsx'
import { asEntered, readText, useForm } from '../../forms/form.ts'

type DiscountPanelProps = { products: readonly Product[] }

export function DiscountPanel({ products }: DiscountPanelProps) {
  const discount = useDiscount()
  const place = useRef<HTMLDivElement>(null)
  /** The focused element is removed by the change: the focus follows. */
  const isByHand = useRef(false)
  const [isOpen, setIsOpen] = useState(false)
  /** Typed text would be lost when the code is accepted. */
  const [isChecking, setIsChecking] = useState(hasCode)
  const { wrong, isBusy, enter, clearProblem } = useEnter()
  useEffect(() => {
    const codes = codesToEnter()
    if (codes.length > 0) void enter(codes).then(() => setIsChecking(false))
  }, [enter])
  useEffect(() => {
    if (!isByHand.current) return
    isByHand.current = false
    place.current?.querySelector<HTMLElement>(discount ? 'p[tabindex]' : 'button')?.focus()
  }, [discount])

  async function apply(code: string) {
    isByHand.current = true
    setIsOpen(true)
    if (!(await enter([code]))) isByHand.current = false
  }
  function remove() {
    isByHand.current = true
    setIsOpen(false)
    clearProblem()
    dropDiscount()
  }
  return (
    <div ref={place}>
      {discount ? (
        <InForce discount={discount} products={products} onRemove={remove} />
      ) : (isOpen && !isChecking) || wrong ? (
        <DiscountForm wrong={wrong} isBusy={isBusy} onEnter={apply} />
      ) : (
        <DiscountButton isBusy={isBusy} onOpen={() => setIsOpen(true)} />
      )}
      {discount && wrong && (
        <p role="alert" className="mt-1.5 text-center text-sm wrap-anywhere text-danger">
          {wrong.problem}
        </p>
      )}
    </div>
  )
}

type InForceProps = { discount: Discount; products: readonly Product[]; onRemove: () => void }

function InForce({ discount, products, onRemove }: InForceProps) {
  const isOfUse = useLowersPrices(products, discount)
  return (
    <div role="status" className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1">
      <p tabIndex={-1} className="flex items-center gap-2.5 rounded-sm text-balance">
        {isOfUse && <Check aria-hidden className="size-5 shrink-0 text-success" />}
        <span key={discount.code}>
          <DiscountSentence discount={discount} products={products} />
        </span>
      </p>
      <Button look="quiet" onClick={onRemove}>
        {buyingTexts.removeCode}
      </Button>
    </div>
  )
}

function useEnter() {
  const [wrong, setWrong] = useState<WrongCode>()
  const [isBusy, setIsBusy] = useState(false)
  const enter = useCallback(async (codes: string[]): Promise<boolean> => {
    setIsBusy(true)
    setWrong(undefined)
    const tried: WrongCode[] = []
    for (const code of codes) {
      const problem = await tryCode(code)
      if (!problem) break
      tried.push({ code, problem })
    }
    setWrong(tried[0])
    refusedCode.set(tried[0]?.code)
    setIsBusy(false)
    return tried.length < codes.length
  }, [])
  return { wrong, isBusy, enter, clearProblem: () => setWrong(undefined) }
}

const hasCode = () => 'document' in globalThis && codesToEnter().length > 0

async function tryCode(code: string): Promise<string | undefined> {
  try {
    await enterDiscount(code)
    return undefined
  } catch (error) {
    if (error instanceof ProblemError && (error.status === 409 || error.status === 422)) dropCode(code)
    return `${code}: ${failure('', error).description ?? ''}`
  }
}

type WrongCode = { code: string; problem: string }

type DiscountFormProps = {
  wrong: WrongCode | undefined
  isBusy: boolean
  onEnter: (code: string) => Promise<void>
}

function DiscountForm({ wrong, isBusy, onEnter }: DiscountFormProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  /** The field takes no focus where a code of the address has failed: the visitor may be reading elsewhere. */
  const takesFocus = useRef(!wrong)
  useEffect(() => {
    if (takesFocus.current) input.current?.focus({ preventScroll: true })
  }, [])
  const { form } = useForm(asEntered, async (entered) => {
    const code = readText(entered, 'code').trim()
    if (code && !isBusy) await onEnter(code)
    else input.current?.focus()
  })
  return (
    <form {...form} className="mx-auto max-w-md">
      <label htmlFor={id} className="font-semibold">
        {buyingTexts.discountCode}
      </label>
      <div className="mt-1.5 flex gap-3">
        <input
          ref={input}
          id={id}
          name="code"
          defaultValue={wrong?.code}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? `${id}-problem` : undefined}
          className="block w-full min-w-0 rounded-md border border-edge bg-surface px-3.5 py-2.5 uppercase aria-invalid:border-danger"
        />
        <Button type="submit" look="outline" aria-disabled={isBusy}>
          {isBusy ? buyingTexts.checking : buyingTexts.apply}
        </Button>
      </div>
      {wrong && (
        <p id={`${id}-problem`} role="alert" className="mt-1.5 text-sm wrap-anywhere text-danger">
          {wrong.problem}
        </p>
      )}
    </form>
  )
}
