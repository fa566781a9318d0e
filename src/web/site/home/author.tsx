// The section about the author.
import { homeTexts } from '#words/home.ts'
import { SideSection } from '../../components/section.tsx'
import { Picture } from '../../product/cover.tsx'
import { Prose } from '../../format/prose.tsx'
import { useBook } from '../../shop.ts'

export function AboutAuthor() {
  const { biography, portrait, name } = useBook().author
  const picture = portrait && (
    <div>
      <Picture
        picture={portrait}
        alt={portrait.alt || name}
        sizes="(min-width: 64rem) 19rem, 14rem"
        loading="lazy"
        className="aspect-4/5 w-full rounded-lg object-cover max-sm:max-w-56"
      />
      <p className="mt-3 font-semibold">{name}</p>
    </div>
  )
  return (
    <SideSection id="author" title={homeTexts.aboutAuthor} aside={picture} className="py-16 sm:py-24">
      <div className="max-w-[44rem] space-y-5 text-lg text-pretty">
        <Prose blocks={biography} />
      </div>
    </SideSection>
  )
}

/** The author stands beside the contact form where the page has no section about the author. */
export function Author() {
  const { biography, portrait, name } = useBook().author
  if (biography.length === 0 && !portrait) return null
  return (
    <div className="space-y-4">
      {portrait && (
        <Picture
          picture={portrait}
          alt={portrait.alt || name}
          sizes="8rem"
          loading="lazy"
          className="size-32 rounded-full object-cover"
        />
      )}
      {biography.length > 0 && (
        <div className="max-w-[44rem] space-y-4 text-pretty">
          <Prose blocks={biography} />
        </div>
      )}
    </div>
  )
}
