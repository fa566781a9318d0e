// A likely typo in the domain of an address: one letter of a large mail service too many, too few, wrong, or exchanged.
import { buyingTexts } from '#words/buying.ts'
import { useId, useEffect, useState } from 'react'
import { fill } from '#words/fill.ts'
import { guestTexts } from '#words/guest.ts'
import type { Product } from '#contract/catalog/products.ts'
import { isOnePrice, shippingPrice } from '#contract/orders/prices.ts'
import type { ShippingTerms } from '#contract/orders/shipments.ts'
import { Button } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { byBrowser } from '../../by-browser.ts'
import { readText, useForm, type FormResult } from '../../form.ts'
import { findUnpaid } from '../../guest-purchases.ts'
import { keepsStorage } from '../../session.ts'
import { LegalLinks } from '../../legal-links.tsx'
import { isPreorder } from '../../offers.ts'
import { useSendsMail, useShippingRange } from '../../shop.ts'
import { wantedPath } from '../../wanted-product.ts'
import { buyAsGuest, readTerms, type GuestOutcome } from './buy.ts'
import { askForProducts } from './products.ts'
import { CountryField, ShippingSum } from './ask-place.tsx'

/** Long enough that a domain one letter away is a typo; of short names, as gmx.net, such domains exist. */
const services =
  'gmail.com googlemail.com hotmail.com outlook.com icloud.com yahoo.com protonmail.com t-online.de interia.pl yahoo.co.jp docomo.ne.jp'.split(
    ' ',
  )

/** One letter away from a service, and services themselves. */
const existing = new Set(['mail.com', 'ymail.com', 'email.com'])

/** The address that was probably meant; undefined where there is no doubt. */
export function findEmailTypo(email: string): string | undefined {
  const [, local, domain = ''] = /^(.+)@([^@]+)$/.exec(email.trim()) ?? []
  const typed = domain.toLowerCase()
  if (!local || services.includes(typed) || existing.has(typed)) return undefined
  const meant = services.find((service) => isOneTypo(typed, service))
  return meant && `${local}@${meant}`
}

function isOneTypo(typed: string, meant: string): boolean {
  let same = 0
  while (same < typed.length && typed[same] === meant[same]) same += 1
  const [rest, expected] = [typed.slice(same), meant.slice(same)]
  const isWrong = rest.slice(1) === expected.slice(1)
  const isTooMany = rest.slice(1) === expected
  const isTooFew = rest === expected.slice(1)
  const isExchanged =
    rest[0] === expected[1] && rest[1] === expected[0] && rest.slice(2) === expected.slice(2)
  return isWrong || isTooMany || isTooFew || isExchanged
}

type ConsentFieldProps = { consent: string; problem: string | undefined }

/** Its value is the text that was agreed to: the shop stores it. */
function ConsentField({ consent, problem }: ConsentFieldProps) {
  const id = useId()
  return (
    <div>
      <label className="flex cursor-pointer gap-3 text-sm text-pretty">
        <input
          type="checkbox"
          required
          name="consent"
          value={consent}
          className="mt-0.5 size-5 shrink-0 accent-ink"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? id : undefined}
        />
        {consent}
      </label>
      {problem && (
        <p id={id} className="mt-2 text-sm text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

type GuestDialogProps = {
  product: Product
  price: number
  code: string | undefined
  consent: string | null
  onClose: () => void
}

const check = byBrowser(() => ({
  email: guestTexts.emailNeeded,
  country: buyingTexts.chooseCountry,
  consent: buyingTexts.tickBox,
}))

export default function GuestDialog({ product, price, code, consent, onClose }: GuestDialogProps) {
  const [outcome, setOutcome] = useState<GuestOutcome>({})
  const range = useShippingRange()
  const terms = useTerms(product.ships && !isOnePrice(range))
  const [country, setCountry] = useState('')
  const [typo, setTypo] = useState<string>()
  /** Looks like a typo, and is none. */
  const [kept, setKept] = useState<string>()
  const [known] = useState(() => findUnpaid(product.id)?.email)
  const asksConsent = product.is_digital && consent !== null && !isPreorder(product)
  const sendsMail = useSendsMail()
  const { form, isBusy, field } = useForm(check, send)
  const notice = isBusy ? undefined : outcome.notice

  async function send(entered: FormData): Promise<FormResult> {
    const typed = readText(entered, 'email').trim()
    const meant = typed === kept ? undefined : findEmailTypo(typed)
    setTypo(meant)
    if (meant) return { isSaved: false }
    const shipping = terms ? shippingPrice(terms, country) : product.ships ? range.max : 0
    const made = await buyAsGuest({
      product_id: product.id,
      code,
      email: readText(entered, 'email'),
      country: readText(entered, 'country') || undefined,
      shipping,
      consent: readText(entered, 'consent') || undefined,
    })
    setOutcome(made)
    if (made.isOutdated) void askForProducts()
    return { isSaved: false, problems: made.problems }
  }

  function answer(email: string) {
    setTypo(undefined)
    setKept(email)
    form.ref.current?.querySelector<HTMLInputElement>('[name="email"]')?.focus()
  }

  return (
    <Dialog title={fill(guestTexts.title, { product: product.name })} isBusy={isBusy} onClose={onClose}>
      <p className="mt-2 text-pretty text-soft">{intro(product, sendsMail)}</p>
      <form {...form} className="mt-5 grid gap-5">
        {notice && (
          <p
            role="alert"
            className="rounded-md border border-danger/50 px-4 py-3 text-sm text-pretty text-danger"
          >
            {notice}
          </p>
        )}
        <Field
          label={guestTexts.email}
          type="email"
          autoComplete="email"
          inputMode="email"
          maxLength={254}
          defaultValue={known}
          {...field('email')}
          onChange={() => setTypo(undefined)}
        />
        {typo && <Typo meant={typo} form={form.ref} onAnswer={answer} />}
        {terms && (
          <>
            <CountryField
              countries={terms.countries}
              country={country}
              problem={field('country').problem}
              onChange={setCountry}
            />
            <ShippingSum price={price} terms={terms} country={country || undefined} />
          </>
        )}
        {asksConsent && <ConsentField consent={consent} problem={field('consent').problem} />}
        {asksConsent && <LegalLinks opensTab className="text-sm text-soft" />}
        <NotKept />
        <Buttons
          isBusy={isBusy}
          signInPath={`/auth?next=${encodeURIComponent(wantedPath(product.id, code))}`}
        />
      </form>
    </Dialog>
  )
}

type TypoProps = {
  meant: string
  form: { current: HTMLFormElement | null }
  onAnswer: (email: string) => void
}

function Typo({ meant, form, onAnswer }: TypoProps) {
  const field = () => form.current?.querySelector<HTMLInputElement>('[name="email"]')
  function take() {
    const email = field()
    if (email) email.value = meant
    onAnswer(meant)
  }
  return (
    <div role="alert" className="grid gap-3 rounded-md border border-gold/60 bg-gold/10 px-4 py-3">
      <p className="text-sm text-pretty break-words">{fill(guestTexts.didYouMean, { email: meant })}</p>
      <p className="flex flex-wrap gap-3 max-sm:*:grow">
        <Button look="outline" onClick={take}>
          {guestTexts.takeSuggested}
        </Button>
        <Button look="quiet" onClick={() => onAnswer(field()?.value.trim() ?? '')}>
          {guestTexts.keepTyped}
        </Button>
      </p>
    </div>
  )
}

function NotKept() {
  const sendsMail = useSendsMail()
  const [isKept] = useState(keepsStorage)
  if (isKept) return null
  return (
    <p className="rounded-md border border-gold/60 bg-gold/10 px-4 py-3 text-sm text-pretty">
      {sendsMail ? guestTexts.notKept : guestTexts.notKeptNoMail}
    </p>
  )
}

function Buttons({ isBusy, signInPath }: { isBusy: boolean; signInPath: string }) {
  return (
    <>
      <p className="flex flex-wrap-reverse gap-3 *:grow">
        <CancelButton />
        <Button busy={isBusy} type="submit" aria-disabled={isBusy}>
          {isBusy ? guestTexts.continuing : guestTexts.continue}
        </Button>
      </p>
      <p className="text-center text-sm">
        <Link to={signInPath} className="rounded-sm text-soft underline underline-offset-4 hover:text-ink">
          {guestTexts.haveAccount}
        </Link>
      </p>
    </>
  )
}

/** Undefined until they are there, and where they are not needed. */
function useTerms(isNeeded: boolean): ShippingTerms | undefined {
  const [terms, setTerms] = useState<ShippingTerms>()
  useEffect(() => {
    // Without them the shop says what is missing once the order is sent.
    if (isNeeded) void readTerms().then(setTerms, () => undefined)
  }, [isNeeded])
  return terms
}

function intro(product: Product, sendsMail: boolean): string {
  if (isPreorder(product)) return sendsMail ? guestTexts.introPreorder : guestTexts.intro
  return product.is_digital ? guestTexts.introFile : guestTexts.intro
}
