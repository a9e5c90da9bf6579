<?php
/**
 * Client addresses: which one a request comes from, and what of it may leave the site.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Without any call to WordPress.
 */
final class Ghostlight_Address {

	/** The administrator has not said it yet: REMOTE_ADDR, and no address while a request shows a proxy. */
	const UNSAID = 'unsaid';
	/** REMOTE_ADDR is the client's. */
	const DIRECT = 'direct';
	/** A number of own proxies add to X-Forwarded-For. */
	const PROXIES = 'proxies';
	/** One header names the client. */
	const HEADER = 'header';

	/** Headers that a CDN or proxy sets to the client's address. */
	const HEADERS = array( 'CF-Connecting-IP', 'X-Real-IP', 'True-Client-IP', 'Fastly-Client-IP', 'X-Client-IP', 'X-Sucuri-ClientIP' );

	/** By these a request shows that it came through a proxy. */
	const FORWARDING = array( 'X-Forwarded-For', 'Forwarded', 'Via', 'CDN-Loop', 'CF-Connecting-IP', 'X-Real-IP', 'True-Client-IP', 'Fastly-Client-IP', 'Fly-Client-IP', 'X-Vercel-Forwarded-For', 'X-Client-IP', 'X-Cluster-Client-IP', 'X-Sucuri-ClientIP', 'Incap-Client-IP', 'X-Azure-ClientIP' );

	const LONGEST = 45;

	/**
	 * The client's address by the setting.
	 *
	 * @param array<string, mixed> $server  What $_SERVER holds.
	 * @param string               $mode    One of the constants above.
	 * @param int                  $proxies How many proxies a request passes.
	 * @param string               $header  Name of the header.
	 * @return string Empty: not known. A wrong address would make a genuine crawler look like a fake.
	 */
	public static function of_client( array $server, $mode, $proxies = 1, $header = '' ) {
		if ( self::PROXIES === $mode ) {
			$before  = explode( ',', self::value( $server, 'HTTP_X_FORWARDED_FOR' ) );
			$index   = count( $before ) - (int) $proxies;
			$address = isset( $before[ $index ] ) ? $before[ $index ] : '';
		} elseif ( self::HEADER === $mode ) {
			// Where a request brought the header along, the proxy's own value is the last.
			$values  = explode( ',', self::header( $server, $header ) );
			$address = (string) end( $values );
		} elseif ( self::DIRECT === $mode || array() === self::forwarding( $server ) ) {
			$address = self::value( $server, 'REMOTE_ADDR' );
		} else {
			$address = '';
		}
		$address = self::without_port( $address );
		return null === self::pack( $address ) ? '' : $address;
	}

	/**
	 * Headers of a request that show a proxy. Any client can send them, too.
	 *
	 * @param array<string, mixed> $server What $_SERVER holds.
	 * @return string[] Their names.
	 */
	public static function forwarding( array $server ) {
		$names = array();
		foreach ( self::FORWARDING as $name ) {
			if ( '' !== self::header( $server, $name ) ) {
				$names[] = $name;
			}
		}
		return $names;
	}

	/**
	 * IPv4 to its /24, IPv6 to its /48; an IPv4-mapped address is truncated as IPv4.
	 *
	 * @param string $address Any text.
	 * @return string|null Null for what is no address.
	 */
	public static function truncate( $address ) {
		$packed = self::pack( trim( $address ) );
		if ( null === $packed ) {
			return null;
		}
		if ( 4 === strlen( $packed ) ) {
			return inet_ntop( substr( $packed, 0, 3 ) . "\0" );
		}
		return inet_ntop( substr( $packed, 0, 6 ) . str_repeat( "\0", 10 ) );
	}

	/**
	 * An address as bytes: 4, or 16. An IPv4-mapped one (::ffff:203.0.113.9) is the IPv4 address that it names.
	 *
	 * @param string $text Any text.
	 * @return string|null Null for leading zeros, zones, blanks, brackets and ports.
	 */
	public static function pack( $text ) {
		if ( strlen( $text ) > self::LONGEST ) {
			return null;
		}
		if ( false === strpos( $text, ':' ) ) {
			return self::is_v4( $text ) ? inet_pton( $text ) : null;
		}
		// Before inet_pton(), which warns of what is none.
		if ( 1 !== preg_match( '/^[0-9a-f:.]+$/iD', $text ) || false === filter_var( $text, FILTER_VALIDATE_IP, FILTER_FLAG_IPV6 ) ) {
			return null;
		}
		$packed = inet_pton( $text );
		if ( false === $packed ) {
			return null;
		}
		return 0 === strpos( $packed, str_repeat( "\0", 10 ) . "\xff\xff" ) ? substr( $packed, 12 ) : $packed;
	}

	/**
	 * Whether a text is an IPv4 address in its one form.
	 *
	 * @param string $text Any text.
	 * @return bool
	 */
	public static function is_v4( $text ) {
		return 1 === preg_match( '/^(?:(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/D', $text );
	}

	/**
	 * An address without its port and brackets.
	 *
	 * @param string $text As a proxy wrote it.
	 * @return string
	 */
	private static function without_port( $text ) {
		$text = trim( $text );
		if ( 1 === preg_match( '/^\[([^\]]*)\]/', $text, $found ) ) {
			return $found[1];
		}
		return 1 === substr_count( $text, ':' ) ? substr( $text, 0, (int) strpos( $text, ':' ) ) : $text;
	}

	/**
	 * A header of the request.
	 *
	 * @param array<string, mixed> $server What $_SERVER holds.
	 * @param string               $name   As it is written in requests.
	 * @return string
	 */
	private static function header( array $server, $name ) {
		return self::value( $server, 'HTTP_' . strtoupper( str_replace( '-', '_', $name ) ) );
	}

	/**
	 * A server variable as text.
	 *
	 * @param array<string, mixed> $server What $_SERVER holds.
	 * @param string               $name   The variable.
	 * @return string
	 */
	private static function value( array $server, $name ) {
		return isset( $server[ $name ] ) && is_string( $server[ $name ] ) ? $server[ $name ] : '';
	}
}
