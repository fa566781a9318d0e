// The data that the shop stores about visitors and buyers, in Markdown, for the privacy page. docs/tables.md has all.
import { rememberedDays, maxDays } from '#domains/accounts/sessions.ts'
import { securityEventDays } from '#contract/accounts/users.ts'
import { erasureDays, lockedYears } from '#contract/privacy/erasures.ts'
import { graceDays, unconfirmedHours } from '#domains/accounts/sweep.ts'
import { evidenceDays } from '#contract/delivery/editions.ts'
import { retentionDays } from '#domains/mail/mail-retention.ts'
import { trashDays } from '#contract/readers/messages.ts'

export const storedData = `
- **Account**: your email address, the name you gave, your password as a hash that cannot be turned back, a second factor if you set one up, and when you signed up and last signed in. This is kept as long as the account exists. You can see all your data on your account page and have the account erased there, ${erasureDays} days after you ask; an account whose address is never confirmed is deleted after ${unconfirmedHours} hours.
- **Sign-ins**: the IP address and the browser of each sign-in. A sign-in ends after ${maxDays} days at the latest and is deleted ${graceDays} days later. That a browser was used to sign in is remembered for ${rememberedDays} days.
- **Security**: failed sign-ins, changed passwords and similar events, with the IP address, for ${securityEventDays} days.
- **Orders**: what you bought, when and for how much, the name you gave where you paid, what was paid back, and what you agreed to. These are business records and are kept. Once an account is erased they have no name; who paid is then locked away until the end of the ${lockedYears}th year after that of the order.
- **Gifts**: where the author gives you a free copy or a discount code, your email address, your name and the words that came with it. For a free copy an account is made for your address. Where another buyer gives you a copy, or you give one, the recipient’s email address, the names and the words that go with it; an account is made when the gift is opened. These are kept until the account is erased.
- **Releases**: if you want to be told when a book is out, your email address until that one email is sent, or for seven days if you do not confirm it.
- **Parcels**: the address of an order that is sent by post, kept with the order.
- **Downloads**: the file, the time, the IP address and the browser of each download, for ${evidenceDays / 365} years. They are evidence when a payment is disputed.
- **Emails**: to whom, about what, and whether it could be delivered. This is kept with an order, otherwise for ${retentionDays} days; the text of most, without its links, is kept for ${retentionDays} days. An email that the shop could not send yet, because no mail server is set, is stored whole, for ${retentionDays} days at most.
- **Messages**: what you write in the contact form, with your name and email address, until the author deletes it, and ${trashDays} days more. Where the author uses a form service, it receives the message, too.
- **Limits against abuse**: how often an account or an IP address has called, for a day.
- **Backups**: copies of all this, which newer ones replace. An account that was erased is erased again when one is restored.
`.trim()
