<?php
/**
 * Which user agents and referrers are AI: the list of the service, or the one that comes with the plugin.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Of the published list only what classifies is kept, about 15 kB; address ranges and keys stay out, because the service verifies.
 */
final class Ghostlight_Lists {

	const OPTION     = 'ghostlight_lists';
	const MAX_BYTES  = 8388608;
	const MAX_TOKENS = 1000;
	const MAX_HOSTS  = 2000;
	const MAX_APPS   = 500;

	/**
	 * The list in use.
	 *
	 * @return array<string, mixed> "version", "bots", "domains", "apps", "programs".
	 */
	public static function current() {
		$packed = self::packed();
		$stored = get_option( self::OPTION );
		if ( is_array( $stored ) && isset( $stored['lists']['bots'], $stored['lists']['domains'], $stored['lists']['apps'] ) ) {
			return $stored['lists'] + $packed;
		}
		return $packed;
	}

	/**
	 * The list that comes with the plugin.
	 *
	 * @return array<string, mixed>
	 */
	public static function packed() {
		static $packed = null;
		if ( null === $packed ) {
			$packed = require dirname( __DIR__ ) . '/lists/packed.php';
		}
		return $packed;
	}

	/**
	 * Fetches the list; wp-cron calls it every six hours. What can't be had is tried again then: the list at hand goes on.
	 *
	 * @return void
	 */
	public static function refresh() {
		$settings = Ghostlight_Settings::get();
		if ( '' === $settings->url ) {
			return;
		}
		$stored  = get_option( self::OPTION );
		$stored  = is_array( $stored ) ? $stored : array();
		$is_same = isset( $stored['from'], $stored['etag'] ) && $stored['from'] === $settings->url && is_string( $stored['etag'] );
		$answer  = Ghostlight_Http::get(
			$settings->url . '/v1/config/ai-bots',
			$is_same && '' !== $stored['etag'] ? array( 'If-None-Match' => $stored['etag'] ) : array(),
			15,
			self::MAX_BYTES
		);
		if ( 304 === $answer['status'] && $is_same ) {
			$stored['at'] = time();
			update_option( self::OPTION, $stored, false );
			return;
		}
		$lists = 200 === $answer['status'] ? self::read( json_decode( $answer['body'], true, 16 ) ) : null;
		if ( null === $lists ) {
			return;
		}
		update_option(
			self::OPTION,
			array(
				'from'  => $settings->url,
				'etag'  => $answer['etag'],
				'at'    => time(),
				'lists' => $lists,
			),
			false
		);
	}

	/**
	 * A published list in the form of this plugin. Pure.
	 *
	 * @param mixed $body Decoded JSON.
	 * @return array<string, mixed>|null Null: it has no bots or no referrers, or something that no list has.
	 */
	public static function read( $body ) {
		if ( ! is_array( $body ) || ! isset( $body['version'] ) || ! is_int( $body['version'] ) ) {
			return null;
		}
		$bots  = array();
		$names = isset( $body['ai_referrer_names'] ) && is_array( $body['ai_referrer_names'] ) ? $body['ai_referrer_names'] : array();
		foreach ( self::members( $body, 'bot_patterns' ) as $row ) {
			$token = is_array( $row ) && isset( $row['pattern'] ) ? $row['pattern'] : null;
			// One or two characters would match half of all browsers.
			if ( ! is_string( $token ) || 1 !== preg_match( '/^[a-z0-9][ -@\[-~]{1,62}[a-z0-9]$/D', $token ) ) {
				return null;
			}
			if ( ! isset( $bots[ $token ] ) ) {
				$bots[ $token ] = isset( $row['bot_name'] ) && is_string( $row['bot_name'] ) ? substr( $row['bot_name'], 0, 128 ) : $token;
			}
		}
		$domains = self::named( self::members( $body, 'ai_referrer_domains' ), $names, '/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/D' );
		$apps    = self::named( self::members( $body, 'ai_referrer_apps' ), $names, '/^[A-Za-z0-9._-]{1,128}$/D' );
		if ( array() === $bots || null === $domains || array() === $domains || null === $apps ) {
			return null;
		}
		if ( count( $bots ) > self::MAX_TOKENS || count( $domains ) > self::MAX_HOSTS || count( $apps ) > self::MAX_APPS ) {
			return null;
		}
		return array(
			'version' => $body['version'],
			'bots'    => $bots,
			'domains' => $domains,
			'apps'    => $apps,
		);
	}

	/**
	 * One of the body's lists.
	 *
	 * @param array<string, mixed> $body Decoded JSON.
	 * @param string               $name Of the list.
	 * @return array<mixed>
	 */
	private static function members( array $body, $name ) {
		return isset( $body[ $name ] ) && is_array( $body[ $name ] ) ? $body[ $name ] : array();
	}

	/**
	 * Hosts or packages with their names.
	 *
	 * @param array<mixed>         $keys    Hosts or packages.
	 * @param array<string, mixed> $names   Host or package => name.
	 * @param string               $pattern What a key may be.
	 * @return array<string, string>|null Null: one of them is something else.
	 */
	private static function named( array $keys, array $names, $pattern ) {
		$named = array();
		foreach ( $keys as $key ) {
			if ( ! is_string( $key ) || strlen( $key ) > Ghostlight_Text::HOST || 1 !== preg_match( $pattern, $key ) ) {
				return null;
			}
			$name                                     = isset( $names[ $key ] ) && is_string( $names[ $key ] ) ? $names[ $key ] : $key;
			$named[ Ghostlight_Text::lower( $key ) ] = substr( $name, 0, 128 );
		}
		return $named;
	}
}
