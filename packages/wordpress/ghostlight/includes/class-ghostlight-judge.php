<?php
/**
 * Decides which visits leave the site. The service classifies every visit itself.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Without any call to WordPress.
 */
final class Ghostlight_Judge {

	const AI_BOT = 'ai_bot';
	/** A person who came from an AI product. */
	const AI_REFERRAL = 'ai_referral';
	/** A request with a signature, which the service verifies. */
	const SIGNED = 'signed';
	/** One of many other requests, anonymised. */
	const SAMPLE = 'sample';

	/**
	 * What a visit is.
	 *
	 * @param array<string, string> $traits "host", "user_agent", "referrer", "query", "signature", "signature_input".
	 * @param array<string, mixed>  $lists  "bots", "domains", "apps", "programs".
	 * @param string[]              $own    Domains of the site, lower case.
	 * @return string|null Null: other traffic.
	 */
	public static function classify( array $traits, array $lists, array $own ) {
		if ( null !== Ghostlight_Tokens::find( $lists['bots'], $traits['user_agent'] ) ) {
			return self::AI_BOT;
		}
		if ( '' !== $traits['signature'] && '' !== $traits['signature_input'] ) {
			return self::SIGNED;
		}
		return null === self::referral( $traits, $lists, $own ) ? null : self::AI_REFERRAL;
	}

	/**
	 * The AI product that a person came from.
	 *
	 * @param array<string, string> $traits As above.
	 * @param array<string, mixed>  $lists  As above.
	 * @param string[]              $own    As above.
	 * @return array{engine: string, signal: string}|null
	 */
	public static function referral( array $traits, array $lists, array $own ) {
		$tagged = false !== strpos( $traits['query'], 'utm_source' );
		if ( '' === $traits['user_agent'] || ( '' === $traits['referrer'] && ! $tagged ) ) {
			return null;
		}
		$source = $tagged ? Ghostlight_Url::parameter( $traits['query'], 'utm_source' ) : null;
		$found  = Ghostlight_Referrers::find( $lists, $traits['referrer'], $source );
		if ( null === $found || Ghostlight_Referrers::is_own_site( $traits['referrer'], $traits['host'], $own ) ) {
			return null;
		}
		return self::is_program( $traits['user_agent'], $lists['programs'] ) ? null : $found;
	}

	/**
	 * Whether a user agent is not a person's browser or app. Asked only where a referral is in question.
	 *
	 * @param string $user_agent As received, cut.
	 * @param string $pattern    Regular expression.
	 * @return bool
	 */
	public static function is_program( $user_agent, $pattern ) {
		// A pattern that ends in an error says nothing about the visitor: no referral is reported then.
		return 0 !== preg_match( $pattern, $user_agent );
	}
}
