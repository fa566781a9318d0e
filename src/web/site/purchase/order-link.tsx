// The link after the payment that opens this order on other devices, to copy or to save. The shop can show it only
// once.
import type { Release } from '#contract/catalog/products.ts'
import { useEffect, useId, useRef, useState } from 'react'
import { fill } from '#words/texts.ts'
import { guestTexts } from '#words/guest.ts'
import type { AccessLink } from '#contract/orders/guest-purchases.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { linkDaysOf } from '#contract/orders/prices.ts'
import { api, responseOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { failure } from '../../notices/send.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { formatMoment } from '../../format/format.tsx'
import { saveFile } from '../../save-file.ts'
import { useBookFacts, useSendsMail } from '../../shop.ts'
import { toast } from '../../notices/toasts.tsx'
import { AccountWay } from './account-way.tsx'

type OrderLinkProps = {
  id: string
  number: number
  /** While it is still to come. */
  release: Release | null
  proof: string
  email: string
  onNewLink: (link: AccessLink) => void
}

export function OrderLink({ id, number, release, proof, email, onNewLink }: OrderLinkProps) {
  const titleId = useId()
  const sendsMail = useSendsMail()
  const [link, setLink] = useState<AccessLink>()
  const [isBusy, setIsBusy] = useState(false)
  async function make() {
    setIsBusy(true)
    try {
      const json = { proof }
      const newLink: AccessLink = await responseOf(
        api.guest.purchases[':id'].link.$post({ param: { id }, json }),
      )
      setLink(newLink)
      onNewLink(newLink)
    } catch (error) {
      toast(failure(guestTexts.linkFailed, error))
    }
    setIsBusy(false)
  }
  return (
    <section
      aria-labelledby={titleId}
      className="rounded-lg border border-line bg-surface p-6 text-start sm:p-8"
    >
      <h2 id={titleId} className="font-display text-2xl">
        {guestTexts.linkTitle}
      </h2>
      <p className="mt-2 mb-5 text-pretty text-soft">
        {fill(sendsMail ? guestTexts.linkTextMailed : guestTexts.linkText, { days: linkDaysOf(release) })}
      </p>
      {link ? (
        <NewLink link={link} number={formatOrderNumber(number)} />
      ) : (
        <Button look="outline" disabled={isBusy} onClick={() => void make()}>
          {isBusy ? guestTexts.makingLink : guestTexts.makeLink}
        </Button>
      )}
      {sendsMail && <AccountWay email={email} words={guestTexts.codeText} className="mt-5" />}
    </section>
  )
}

function NewLink({ link: { url, ends_at }, number }: { link: AccessLink; number: string }) {
  const { title } = useBookFacts()
  const until = fill(guestTexts.linkUntil, { time: formatMoment(ends_at) })
  const name = fill(guestTexts.linkFile, { number })
  const content = [title, `${guestTexts.order} ${number}`, url, until, ''].join('\n')
  const field = useRef<HTMLInputElement>(null)
  // The button that was pressed is gone.
  useEffect(() => field.current?.select(), [])
  return (
    <>
      <Field
        ref={field}
        label={guestTexts.link}
        hint={until}
        readOnly
        value={url}
        onFocus={({ target }) => target.select()}
      />
      <p className="mt-4 flex flex-wrap gap-3 max-sm:*:grow">
        <CopyButton
          label={guestTexts.copyLink}
          text={url}
          copied={{ title: guestTexts.linkCopied }}
          notCopied={{ title: guestTexts.notCopied, description: guestTexts.copyByHand }}
        />
        <Button look="outline" onClick={() => saveFile(`${name}.txt`, content)}>
          {guestTexts.saveLink}
        </Button>
      </p>
    </>
  )
}
