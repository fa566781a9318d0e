// The message that an address leads nowhere.
import { notFoundTexts, siteTexts } from '#words/site.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Container } from '../../components/section.tsx'

/** The message on an address that leads nowhere. */
export function NothingHere() {
  return (
    <Container>
      <p aria-hidden className="font-display text-hero text-gold">
        404
      </p>
      <h1 className="mt-6 font-display text-3xl">{notFoundTexts.title}</h1>
      <p className="mx-auto mt-4 max-w-md text-lg text-pretty text-soft">{notFoundTexts.text}</p>
      <p className="mt-8 flex flex-wrap justify-center gap-3">
        <ButtonLink to="/">{siteTexts.returnHome}</ButtonLink>
        {/* The script shows it at addresses of the admin area that lead nowhere. */}
        <ButtonLink to="/admin" look="outline" hidden data-in="/admin/">
          {notFoundTexts.adminDashboard}
        </ButtonLink>
      </p>
    </Container>
  )
}
