/**
 * The headings of lists of people, in 21 languages, and words that tell whose address or name it
 * is, as data. Case, accents, spaces and hyphens do not count. Nor do the neutral words below.
 *
 * Sources: the exports of Outlook, Google Contacts, Apple Contacts, Thunderbird, HubSpot,
 * Salesforce, Mailchimp, Brevo, Eventbrite, Zoom, Teams and others, of which test/extras/bulk has
 * samples; and the names of form fields that Chromium knows (components/autofill,
 * autofill_regex_constants).
 */
import { LATIN_HEADINGS } from './latin-headings.ts';
import { OTHER_HEADINGS } from './other-headings.ts';

/** Headings of one language, separated by `|`. */
export type HeadingWords = {
  readonly language: string;
  readonly address: string;
  /** A column of first names. */
  readonly first: string;
  /**
   * A first name beside a column of surnames; alone, a full name that begins with the given name.
   */
  readonly firstBesideSurname: string;
  /** A full name that begins with the given name. */
  readonly full: string;
  /** A full name that begins with the family name. */
  readonly familyFirst: string;
  readonly surname: string;
};

/** Headings of the first name by which a person is called. It goes before other first names. */
export const CALLED = `preferred name|preferred first name|rufname|prénom usuel|roepnaam
  |tilltalsnamn|kutsumanimi`;

export const HEADINGS: readonly HeadingWords[] = [...LATIN_HEADINGS, ...OTHER_HEADINGS];

/** Words for a guest. If a heading has one, a column without one is of the person who ordered. */
export const GUESTS = `
  attendee attendees guest guests participant participants registrant invitee ticket teilnehmer
  teilnehmerin teilnehmende gast gäste invité billet participante asistente invitado partecipante
  ospite invitato biglietto convidado ingresso deelnemer deltagare gäst deltager gæst deltaker
  gjest osallistuja vieras uczestnika uczestnik gościa účastníka účastník hosta katılımcı misafir
  участника участник гостя συμμετέχοντα
  deltagers deltagerens deltakers deltakerens deltagarens gästens gästs gæstens
  参加者 出席者 来場者 参会人 参会者 报名人 來賓 与会者 참석자 참가자
`;

/** Words of anybody in a list. */
export const CONTACTS = `
  customer contact contacts subscriber member user recipient client student delegate person people
  lead kunde kunden kontakt cliente contacto contatto contato klant kund asiakas klienta klient
  müşteri клиента клиент πελάτη
  backer donor supporter employee applicant speaker
`;

/** Words for a person who may have ordered for guests. */
export const PAYERS = `
  buyer purchaser billing payer shipping acheteur payeur besteller käufer rechnung comprador
  acquirente koper köpare køber kjøper ostaja
  købers køberens kjøpers kjøperens köparens bokarens bokare bestillers bestellers
  tilaajan ostajan zamawiającego kupującego kupujícího objednatele покупателя заказчика satın alan
  購入者 申込者 注文者 購買人 付款人 购买人 购票人 구매자 결제자 신청자 예약자
`;

/** Words that change nothing. */
export const NEUTRAL = `
  primary main default preferred current personal private profile your his her their what is and
  enter please required optional pflichtfeld obligatoire obligatorio the of a an and value s 1
  privat private geschäftlich dienstlich primäre primär haupt ihre ihr der des die professionnel
  professionnelle personnel personnelle principal principale votre du de la le l d del della
  personale tuo
  tua seu do da pessoal persoonlijk uw prywatny osobní kişisel личный личная ваш ваша ваше
  on cual es tu ist dein deine quel quelle est qual e il o seu wat je jouw jak masz na
  podstawowy główny primaria primario primair primaire primární birincil основной основная 主要 您的 你的 个人 個人 工作
`;

/** Words of a place. Beside *name* they make it the name of a company. */
export const PLACES = `
  work business office company home arbeit firma travail entreprise trabajo empresa lavoro azienda
  trabalho werk zakelijk bedrijf arbete arbejde jobb työ służbowy pracovní iş рабочий рабочая
  εργασίας
`;

/** Words for a second address of the same person. */
export const SECONDARY = `
  secondary second alternate alternative additional other extra zweite weitere alternativ
  alternative zusätzlich zusätzliche autre secondaire secundario secundaria otro otra secondario
  secondaria altra altro secundário secundária outro outra tweede andere alternatief annan anden
  annen toinen druga inny další druhý ikinci diğer другой другая дополнительный дополнительная
  dodatkowy sekundär sekundäre sekundære sekundární secundair alternativt 次要 备用 備用 予備 보조
`;

/** Words for another person, who is not the guest. */
export const OTHERS = `
  owner owners owned manager managers assistant assistants partner partners spouse created
  creator author modified added updated edited invited inviter referrer referred referral sender
  rep representative host hosts organizer organiser agent supervisor boss parent guardian
  emergency assigned assignee assigner seller salesperson responsible reply besitzer inhaber
  eigentümer zuständig zuständige betreuer erstellt eingeladen vorgesetzter vorgesetzte assistent
  assistentin sachbearbeiter angelegt geändert propriétaire responsable créé créateur
  gestionnaire conjoint propietario propietaria creado gerente jefe proprietario creato
  responsabile assistente proprietário criado responsável eigenaar beheerder aangemaakt ägare
  skapad ejer oprettet eier opprettet omistaja luonut właściciel utworzył opiekun vlastník
  vytvořil sahibi oluşturan yönetici владелец ответственный создал менеджер автор руководитель
  υπεύθυνος ιδιοκτήτης 担当者 所有者 作成者 负责人 上级 主管 上司 創建人 创建人 创建者 담당자 소유자 작성자 المالك المسؤول בעלים מנהל
`;

/** Words of another person in a heading of two words: *Invited by*, but not *Email by which we …*. */
export const BY = 'by from von par por door av af przez';

/** With these words, a column *email* holds other facts, not addresses. */
export const NO_ADDRESSES = `
  name names type label status display consent domain opt opted sent opened clicked count date
  time verified subject id bounced marketing nom typ nombre nome tipo anzeigename étiquette statut
  estado stato
`;
