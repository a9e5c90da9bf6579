<?php
/**
 * Texts as they may leave the site: well-formed UTF-8, and cut to the lengths that the service keeps.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Without any call to WordPress.
 */
final class Ghostlight_Text {

	const USER_AGENT  = 1024;
	const REFERRER    = 2048;
	const PATH        = 4096;
	const HOST        = 253;
	const METHOD      = 16;
	const QUERY       = 8192;
	const PARAMETERS  = 64;
	const QUERY_KEY   = 256;
	const QUERY_VALUE = 2048;
	const SIGNATURE   = 4096;

	/**
	 * Letters of ASCII alone. PHP's own strtolower() depends on the locale before PHP 8.2.
	 *
	 * @param string $text Any bytes.
	 * @return string
	 */
	public static function lower( $text ) {
		return strtr( $text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz' );
	}

	/**
	 * Any client may send any bytes: what is no UTF-8 becomes U+FFFD, and NUL is left out.
	 *
	 * @param mixed $value What a server variable holds.
	 * @param int   $limit Characters.
	 * @return string
	 */
	public static function cut( $value, $limit ) {
		if ( ! is_string( $value ) || '' === $value ) {
			return '';
		}
		// A character has at most four bytes. The rest need not be looked at.
		$text = substr( $value, 0, 4 * $limit );
		// This pair of functions is always there; mbstring and iconv are not.
		$text = htmlspecialchars_decode( htmlspecialchars( $text, ENT_NOQUOTES | ENT_SUBSTITUTE, 'UTF-8' ), ENT_NOQUOTES );
		$text = str_replace( "\0", '', $text );
		if ( strlen( $text ) <= $limit ) {
			return $text;
		}
		return 1 === preg_match( '/\A.{0,' . (int) $limit . '}/us', $text, $found ) ? $found[0] : '';
	}
}
