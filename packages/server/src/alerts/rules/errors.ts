/** Responses to AI bots that are errors. */
import { count, percent } from '../../common/index.ts';
import { RELEASE, type Rule, report } from './rule.ts';

/** A share of fewer answers says nothing. */
export const MIN_ANSWERS = 40;

export const botErrors: Rule = ({ usual, recent: { answers } }, threshold) => {
  const share = answers.answered > 0 ? answers.failed / answers.answered : 0;
  const limit = threshold / 100;
  const usually = usual.failingShare === null ? '' : ` Usually ${percent(usual.failingShare)}.`;
  const worst = answers.worst === null ? '' : `, most often to ${answers.worst}`;
  return {
    findings:
      answers.answered < MIN_ANSWERS || share < limit
        ? []
        : [
            {
              subject: '',
              title: 'Many errors for AI bots',
              text: `${capitalised(percent(share))} of responses to AI bots were errors (${count(answers.failed)} of ${count(answers.answered)} in three hours)${worst}.${usually}`,
              now: share,
              usual: usual.failingShare,
              unit: 'share',
              link: report('failures'),
            },
          ],
    isOver: () => (share < limit * RELEASE ? 'yes' : 'no'),
  };
};

/** `More than 99%`, at the beginning of a sentence. */
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
