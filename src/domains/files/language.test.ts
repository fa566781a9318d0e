// Whether a text contradicts the language that a file names.
import { expect, test } from 'vitest'
import { chooseLanguage } from './language.ts'

const texts: Record<string, string> = {
  en: 'In the morning the old woman opened the window and looked over the garden, where the apple trees stood in the rain. Nobody had picked the apples this year, for her son had gone to the city, and the neighbours had enough of their own. She put the kettle on the fire and sat down to write him a letter.',
  de: 'Am Morgen öffnete die alte Frau das Fenster und blickte über den Garten, wo die Apfelbäume im Regen standen. Niemand hatte in diesem Jahr die Äpfel gepflückt, denn ihr Sohn war in die Stadt gegangen, und die Nachbarn hatten selbst genug davon. Sie stellte den Kessel auf das Feuer und setzte sich, um ihm einen Brief zu schreiben.',
  fr: 'Le matin, la vieille femme ouvrit la fenêtre et regarda le jardin, où les pommiers se tenaient sous la pluie. Personne n’avait cueilli les pommes cette année, car son fils était parti pour la ville, et les voisins en avaient assez. Elle mit la bouilloire sur le feu et s’assit pour lui écrire une lettre.',
  ca: 'Al matí, la dona vella va obrir la finestra i va mirar el jardí, on les pomeres s’estaven sota la pluja. Ningú no havia collit les pomes aquest any, perquè el seu fill havia marxat a la ciutat i els veïns ja en tenien prou. Va posar la tetera al foc i es va asseure per escriure-li una carta.',
  pl: 'Rano stara kobieta otworzyła okno i spojrzała na ogród, gdzie jabłonie stały w deszczu. Nikt w tym roku nie zebrał jabłek, bo jej syn wyjechał do miasta, a sąsiedzi mieli dosyć swoich. Postawiła czajnik na ogniu i usiadła, żeby napisać do niego list.',
  sk: 'Ráno stará žena otvorila okno a pozrela na záhradu, kde jablone stáli v daždi. Nikto tento rok jablká neoberal, lebo jej syn odišiel do mesta a susedia mali dosť svojich. Postavila kanvicu na oheň a sadla si, aby mu napísala list.',
  hr: 'Ujutro je stara žena otvorila prozor i pogledala vrt, gdje su jabuke stajale na kiši. Nitko ove godine nije obrao jabuke, jer je njezin sin otišao u grad, a susjedi su imali dovoljno svojih. Stavila je čajnik na vatru i sjela da mu napiše pismo.',
  nb: 'Om morgenen åpnet den gamle kvinnen vinduet og så ut over hagen, der epletrærne sto i regnet. Ingen hadde plukket eplene dette året, for sønnen hennes hadde reist til byen, og naboene hadde nok av sine egne. Hun satte kjelen på ilden og satte seg for å skrive et brev til ham.',
  uk: 'Вранці стара жінка відчинила вікно й подивилася на сад, де яблуні стояли під дощем. Ніхто цього року не зібрав яблук, бо її син поїхав до міста, а сусіди мали досить своїх. Вона поставила чайник на вогонь і сіла, щоб написати йому листа.',
  ja: '朝、老女は窓を開けて庭を眺めた。林檎の木は雨の中に立っていた。今年は誰も林檎を摘まなかった。息子は町へ出て行き、隣の人たちは自分の林檎で足りていたからである。彼女はやかんを火にかけ、息子に手紙を書くために腰を下ろした。庭の向こうでは犬が一匹、静かに鳴いていた。',
  'zh-Hans':
    '早晨，老妇人打开窗户，望着花园，苹果树站在雨里。今年没有人摘苹果，因为她的儿子到城里去了，邻居们自己的已经够多了。她把水壶放在火上，坐下来给他写一封信。花园那边有一只狗在轻轻地叫着，没有人回答它。时间过得很慢，她想起了许多从前的事情，也想起了他还是一个孩子的时候。',
  ar: 'في الصباح فتحت المرأة العجوز النافذة ونظرت إلى الحديقة حيث كانت أشجار التفاح واقفة تحت المطر. لم يقطف أحد التفاح هذه السنة، لأن ابنها ذهب إلى المدينة، وكان عند الجيران ما يكفيهم. وضعت الإبريق على النار وجلست لتكتب إليه رسالة.',
}

test.each(Object.entries(texts))(
  'a text in %s is known, and asked about where the file names another',
  (tag, text) => {
    const about = [text, text, text].join('\n')
    expect(chooseLanguage(undefined, about)).toEqual({
      language: tag,
      finding: expect.stringMatching(/^The file does not say its language; its text looks like /),
    })
    expect(chooseLanguage(tag, about)).toEqual({ language: tag })
    for (const other of Object.keys(texts).filter((each) => each !== tag))
      expect(chooseLanguage(other, about), other).toEqual({
        language: tag,
        possible_languages: [other, tag],
        finding: expect.stringMatching(
          /^The file says that its language is .*: please check the language\.$/,
        ),
      })
  },
)

test('languages that are written alike, and those that the library does not know, are not doubted', () => {
  const text = (tag: string) => `${texts[tag]} `.repeat(3)
  for (const [declared, tag] of [
    ['en-GB', 'en'],
    ['nn', 'nb'],
    ['bs', 'hr'],
    ['sr-Latn', 'hr'],
    ['zh-TW', 'zh-Hans'],
    ['rue', 'uk'],
  ] as const)
    expect(chooseLanguage(declared, text(tag)), declared).toEqual({ language: declared })
  const latin =
    'Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani, tertiam qui ipsorum lingua Celtae, nostra Galli appellantur. Hi omnes lingua, institutis, legibus inter se differunt. Gallos ab Aquitanis Garumna flumen, a Belgis Matrona et Sequana dividit. Horum omnium fortissimi sunt Belgae.'
  expect(chooseLanguage('la', latin)).toEqual({ language: 'la' })
  expect(chooseLanguage('la', text('en')).possible_languages).toEqual(['la', 'en'])
})

test('a few words, and a book in two languages, contradict nothing', () => {
  expect(chooseLanguage('de', 'The old woman opened the window and looked over the garden.')).toEqual({
    language: 'de',
  })
  const both = Array.from({ length: 6 }, () => [
    texts['en'],
    texts['en'],
    texts['en'],
    texts['fr'],
    texts['fr'],
    texts['fr'],
  ]).flat()
  expect(chooseLanguage('fr', both.join('\n'))).toEqual({ language: 'fr' })
  expect(chooseLanguage(undefined, 'Far and near')).toEqual({})
})
